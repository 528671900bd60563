import type { McpRequestContext } from '@modelcontextprotocol/server';
import type { MCPProxy } from '../mcp-proxy.js';
import { ResumableCalls } from './input-required.js';
import type { LenientServer } from './lenient-server.js';
import { passThroughServer } from './pass-through.js';
import { PromptTable, ResourceTable } from './resources-and-prompts.js';
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
}

/** The properties of one client connection. */
export interface ClientConnection {
  /** It outlives a single request, so notifications can be sent on it. */
  readonly isLasting: boolean;
  /** Other clients use the same endpoint. */
  readonly isShared: boolean;
  /** It uses MCP 2026-07-28. */
  readonly isModern: boolean;
}

/** Creates the MCP server for one connection, or for one request of a stateless client. */
export type ServerFactory = (context: McpRequestContext) => LenientServer;

export function createEndpoint(proxy: MCPProxy): Endpoint {
  const { toolbox, options } = proxy;
  return {
    proxy,
    calls: new ResumableCalls(options.limits),
    prompts: new PromptTable(toolbox, options.limits),
    resources: new ResourceTable(toolbox, options.limits),
  };
}

export function serverFactory(
  endpoint: Endpoint,
  { passThrough = false }: ServeOptions,
  isShared: boolean,
): ServerFactory {
  return (context) => {
    // MCP 2026 over HTTP is stateless: each request gets a new server, and the SDK handles subscriptions itself.
    const isLasting = context.era === 'legacy' || context.requestInfo === undefined;
    const connection = { isLasting, isShared, isModern: context.era === 'modern' };
    return passThrough ? passThroughServer(endpoint, connection) : twoToolServer(endpoint, connection);
  };
}
