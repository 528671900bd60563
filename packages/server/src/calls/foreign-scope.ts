import {
  type AgentScope,
  type ComputerRequest,
  type Execution,
  isPermitted,
  isRecord,
  META_KEYS,
  type RelayedEvent,
  SMCPError,
  unwrapAnswer,
} from '@a2c/protocol';
import type { Member } from '../rooms/registry.js';
import { serverNames, turnFor } from './conversions.js';
import type { BlobSource } from './inline-blobs.js';
import { type Answer, decoded } from './pending-calls.js';
import {
  aliasOf,
  type Catalogue,
  fullNamesOf,
  indexed,
  isReadable,
  type Listed,
  listedIn,
  namesOf,
  outOfScope,
  readList,
  serverOf,
  shortName,
} from './tool-list-cache.js';

/** Requests whose answers concern MCP servers, and do not say which. */
const OF_SERVERS: ReadonlySet<RelayedEvent> = new Set<RelayedEvent>([
  'client:get_config',
  'client:get_desktop',
  'client:get_resources',
  'client:get_skills',
  'client:get_skill',
  'client:get_blob',
]);

/**
 * The Server alone enforces the limits of keys at Computers of other makers, which do not know them. It refuses what it
 * cannot decide on.
 *
 * @throws SMCPError 403 for a request that cannot be limited to MCP servers
 */
export function assertLimitable(event: RelayedEvent, { servers }: AgentScope, { name }: Member): void {
  if (servers === undefined || !OF_SERVERS.has(event)) return;
  const message = `this key is limited to some MCP servers, and Computer "${name}" cannot limit its answer to them`;
  throw new SMCPError('Forbidden', `${message}; call its tools, or ask for a key without "servers"`);
}

/** @throws SMCPError 403 unless all tools that the name may mean are in the scope */
export function assertToolInScope({ tools, servers }: Catalogue, scope: AgentScope, name: string): void {
  const meant = tools.get(name) ?? [];
  const isAllowed = meant.length > 0 && meant.every((tool) => isInScope(tool, scope, servers));
  if (!isAllowed) throw outOfScope(`the tool "${name.slice(0, 100)}"`);
}

function isInScope(tool: Listed, { tools, servers }: AgentScope, serverNameOf: Catalogue['servers']): boolean {
  // Its own name is not listed, and may be denied.
  const isNameHidden = shortName(tool) === aliasOf(tool);
  if (isNameHidden && tools?.some((pattern) => pattern.startsWith('!'))) return false;
  const bundleId = serverOf(tool) ?? '';
  const server = serverNameOf.get(bundleId);
  if (!isPermitted(tools, ...namesOf(tool), ...fullNamesOf(tool, server))) return false;
  if (servers === undefined) return true;
  return server !== undefined && isPermitted(servers, server, bundleId);
}

/** The answer with the tools that are in the scope. */
export async function withToolsInScope(
  answer: Answer,
  scope: AgentScope,
  { servers }: Catalogue,
  target: Member,
): Promise<Answer> {
  await turnFor(answer.args, target);
  const list = isReadable(answer.args) ? unwrapAnswer(decoded(answer.args)) : undefined;
  const tools = listedIn(list);
  if (!tools || !isRecord(list)) throw unchecked(target);
  return { ...answer, args: [{ ...list, tools: tools.filter((tool) => isInScope(tool, scope, servers)) }] };
}

/**
 * Asks a Computer for its tools, and for the names of its MCP servers, which only its configuration has.
 *
 * @throws SMCPError 403 if it does not answer with a list that can be read
 */
export async function loadCatalogue(
  { agent, req_id, computer }: ComputerRequest,
  target: Member,
  send: BlobSource['send'],
): Promise<Catalogue> {
  const ask = (what: string) => ({ agent, req_id: `${req_id}:${what}`, computer });
  const names = send('client:get_config', ask('config')).then(({ args }) => serverNames(args, target));
  const [listed, servers] = await Promise.all([
    send('client:get_tools', ask('tools')).catch((cause) => Promise.reject(unchecked(target, cause))),
    // Without names, keys that are limited to MCP servers can use none of them.
    names.catch(() => new Map<string, string>()),
  ]);
  const tools = readList(listed.args);
  if (!tools) throw unchecked(target);
  return { tools: indexed(tools), servers };
}

function unchecked({ name }: Member, cause?: unknown): SMCPError {
  const message = `the limits of this key cannot be checked: Computer "${name}" has sent no readable list of its tools`;
  const details = { computer: name, [META_KEYS.execution]: 'not-run' satisfies Execution };
  return new SMCPError('Forbidden', `${message}; try again, or use a key without limits`, { details, cause });
}
