import type { McpRequestContext } from '@modelcontextprotocol/server';
import type { MCPProxy } from '../mcp-proxy.js';
import type { LooseServer } from './loose.js';
import { passThroughServer } from './pass-through.js';
import { twoToolServer } from './two-tools.js';

export interface FaceOptions {
  /** Show the servers' own tools, resources and prompts instead of `inspect` and `exec`. */
  readonly passThrough?: boolean;
}

export type FaceFactory = (context: McpRequestContext) => LooseServer;

/** What a client meets behind the door, whichever door it is; `isShared` by several clients. */
export function faceOf(proxy: MCPProxy, { passThrough = false }: FaceOptions, isShared: boolean): FaceFactory {
  return (context) => {
    // Clients of 2026 over HTTP come anew with each request, and hear of changes through the SDK's own subscriptions.
    const isLasting = context.era === 'legacy' || context.requestInfo === undefined;
    const connection = { isLasting, isShared, isModern: context.era === 'modern' };
    return passThrough ? passThroughServer(proxy, connection) : twoToolServer(proxy, connection);
  };
}

/** What a face has to know of the way to its client. */
export interface ClientConnection {
  readonly isLasting: boolean;
  readonly isShared: boolean;
  readonly isModern: boolean;
}
