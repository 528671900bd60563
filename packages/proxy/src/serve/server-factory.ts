import type { McpRequestContext } from '@modelcontextprotocol/server';
import type { MCPProxy } from '../mcp-proxy.js';
import type { ServerRequestHandler } from '../toolbox.js';
import { ConnectedClient } from './connected-client.js';
import { ResumableCalls } from './input-required.js';
import { ANY_RESULT, type LenientServer } from './lenient-server.js';
import { withServerNames } from './named-questions.js';
import { passThroughServer } from './pass-through.js';
import { PromptTable, ResourceTable } from './resources-and-prompts.js';
import { TaskTable } from './tasks.js';
import { twoToolServer } from './two-tools.js';

/** What a client sees, on stdio and HTTP alike. */
export interface ServeOptions {
  /** List the tools, resources and prompts of all servers instead of `inspect` and `exec`. */
  readonly passThrough?: boolean;
}

/** The state that all connections of one endpoint share. */
export interface Endpoint {
  readonly proxy: MCPProxy;
  readonly calls: ResumableCalls;
  readonly prompts: PromptTable;
  readonly resources: ResourceTable;
  readonly tasks: TaskTable;
  /** Resolves when the servers have started, or after a short time: a client learns their instructions only once. */
  readonly instructed: () => Promise<void>;
}

/** The properties of one client connection. */
export interface ClientConnection {
  /** It outlives a single request, so notifications can be sent on it. */
  readonly isLasting: boolean;
  readonly client: ConnectedClient;
}

/** Creates the MCP server for one connection, or for one request of a stateless client. */
export type ServerFactory = (context: McpRequestContext & { readonly address?: string }) => Promise<LenientServer>;

/** How long the first client waits for the instructions of servers that are starting. */
const INSTRUCTIONS_WAIT_MS = 2_000;

/** `onWarning` receives problems that no request fails of. */
export function createEndpoint(proxy: MCPProxy, onWarning: (message: string) => void): Endpoint {
  const { toolbox, options, registry } = proxy;
  let waited: Promise<void> | undefined;
  return {
    instructed: () => {
      waited ??= registry.started(AbortSignal.timeout(INSTRUCTIONS_WAIT_MS));
      return waited;
    },
    proxy,
    calls: new ResumableCalls(options.limits),
    prompts: new PromptTable(toolbox, options.limits),
    resources: new ResourceTable(toolbox, options.limits, onWarning),
    tasks: new TaskTable(toolbox, options.limits.tasks),
  };
}

/** `only`: the client of an endpoint that serves one. */
export function serverFactory(
  endpoint: Endpoint,
  { passThrough = false }: ServeOptions,
  only?: ConnectedClient,
): ServerFactory {
  return async ({ era, requestInfo, authInfo, address = authInfo?.clientId }) => {
    if (passThrough) await endpoint.instructed();
    // MCP 2026 over HTTP is stateless: each request gets a new server, and the SDK handles subscriptions itself.
    const isLasting = era === 'legacy' || requestInfo === undefined;
    const client = only?.era === era ? only : new ConnectedClient(era, !isLasting, passThrough, address);
    const connection = { isLasting, client };
    const server = passThrough ? passThroughServer(endpoint, connection) : twoToolServer(endpoint, connection);
    if (isLasting) keepConnected(server, client, endpoint);
    return server;
  };
}

/** Lets servers ask the client outside of calls, and reports changes of its roots and its end. */
function keepConnected(server: LenientServer, client: ConnectedClient, { proxy, calls }: Endpoint): void {
  const { onclose } = server;
  server.onclose = () => {
    onclose?.();
    client.close();
  };
  if (client.era === 'modern') return;
  const send: ServerRequestHandler = async ({ method, params, signal }) => {
    client.asked(params);
    const options = { timeout: calls.timeoutMs, ...(signal && { signal }) };
    const answer = await server.request({ method, ...(params && { params }) }, ANY_RESULT, options);
    return answer as Record<string, unknown>;
  };
  server.oninitialized = () => {
    client.canBeAsked((request) => withServerNames(send, client, proxy.registry)(request));
  };
  server.setNotificationHandler('notifications/roots/list_changed', () => {
    proxy.toolbox.clientChanged?.(client, 'roots');
  });
}
