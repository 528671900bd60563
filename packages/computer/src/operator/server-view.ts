import type { InputDefinition, JsonValue } from '@a2c/config';
import type { ServerStatus } from '@a2c/hub';
import type { OperatorInput, OperatorLogin, OperatorServer } from '@a2c/protocol';
import type { Computer } from '../computer.js';

/**
 * An MCP server as operators see it.
 *
 * @param account the account that its configuration names
 */
export function serverView(
  status: ServerStatus,
  pendingLogin: OperatorLogin | undefined,
  account: string | undefined,
): OperatorServer {
  const { name, transport, cause, activity, connectedAt, retryAt, restarts, tools, callsInFlight } = status;
  const state = stateOf(status);
  const login = pendingLogin ?? loginOf(status);
  const named = account !== undefined && { account };
  return {
    name,
    transport,
    sandboxed: status.sandboxed,
    state,
    cause: state === 'ready' ? null : cause,
    activity,
    since: connectedAt,
    retryAt,
    restarts,
    tools,
    calls: callsInFlight,
    version: status.serverInfo?.version ?? null,
    protocolVersion: status.protocolVersion,
    ...(login && { login: { ...login, ...named } }),
    ...(status.changedTools > 0 && { changedTools: status.changedTools }),
    pid: state === 'ready' || state === 'starting' ? (status.diagnostics?.pid ?? null) : null,
  };
}

function loginOf({ state, loggedIn }: ServerStatus): OperatorLogin | undefined {
  if (state === 'needs-login') return { state: 'needed' };
  return state === 'connected' && loggedIn ? { state: 'done' } : undefined;
}

function stateOf({ disabled, state, active }: ServerStatus): OperatorServer['state'] {
  if (disabled) return 'disabled';
  if (state === 'connected') return 'ready';
  if (state === 'error' || state === 'needs-login') return 'failed';
  return active ? 'starting' : 'stopped';
}

/** The inputs as operators see them, with the MCP servers that use each. */
export function inputViews(computer: Computer): OperatorInput[] {
  const values = computer.inputValues();
  const servers = Object.entries(computer.config().servers).map(([name, config]) => [name, JSON.stringify(config)]);
  return computer.inputs().map((definition) => {
    const { id, type } = definition;
    const isSecret = type === 'command' || (type === 'promptString' && definition.password);
    const source = sourceOf(computer, definition, values);
    const value = source === 'set' ? values[id] : source === 'default' ? defaultOf(definition) : undefined;
    return {
      id,
      type,
      description: 'description' in definition ? (definition.description ?? '') : '',
      isSecret,
      ...(type === 'pickString' && { options: definition.options }),
      source,
      ...(!isSecret && value !== undefined && value !== null && { value: String(value) }),
      servers: servers.filter(([, text = '']) => text.includes(`\${input:${id}`)).map(([name = '']) => name),
    };
  });
}

function sourceOf(
  computer: Computer,
  definition: InputDefinition,
  values: Readonly<Record<string, JsonValue>>,
): OperatorInput['source'] {
  if (values[definition.id] !== undefined) return 'set';
  if (computer.hasEnvironmentValue(definition.id)) return 'environment';
  if (definition.type === 'command') return 'command';
  return defaultOf(definition) === null ? 'missing' : 'default';
}

function defaultOf(definition: InputDefinition): string | null {
  return definition.type === 'command' ? null : definition.default;
}
