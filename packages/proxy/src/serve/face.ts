import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { McpProxy } from '../mcp-proxy.js';
import { passThroughServer } from './pass-through.js';
import { twoToolServer } from './two-tools.js';

export interface FaceOptions {
  /** Show the servers' own tools, resources and prompts instead of `inspect` and `exec`. */
  readonly passThrough?: boolean;
}

/** What a client meets behind the door, whichever door it is. */
export function faceOf(proxy: McpProxy, { passThrough = false }: FaceOptions): McpServerFactory {
  return (context) => (passThrough ? passThroughServer(proxy, context) : twoToolServer(proxy, context));
}
