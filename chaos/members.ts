/** Who takes part. Each office has its own Agent and Computers; the MCP client reaches the last one through a proxy. */
export const OFFICES = {
  red: { agent: 'ada', computers: ['red1', 'red2'] },
  green: { agent: 'ben', computers: ['green1', 'green2'] },
  blue: { agent: 'cy', computers: ['blue1'] },
} as const;

export type Office = keyof typeof OFFICES;

export const MCP_OFFICE: Office = 'blue';

export const NODES = ['node1', 'node2'] as const;
export const COMPUTERS = Object.values(OFFICES).flatMap(({ computers }) => computers as readonly string[]);
export const AGENTS = Object.values(OFFICES).map(({ agent }) => agent as string);
/** The proxy is an Agent of its office; its MCP client is a process of its own. */
export const PROXY = 'proxy';
export const MCP_CLIENT = 'mcp-client';
export const BALANCER = 'haproxy';
export const REDIS = 'redis';

/** These Computers write call ids to disk before the calls run: their Agents repeat calls also after a crash. */
export const DURABLE: ReadonlySet<string> = new Set(['red1', 'green1']);

export function officeOf(computer: string): Office {
  for (const [office, { computers }] of Object.entries(OFFICES)) {
    if ((computers as readonly string[]).includes(computer)) return office as Office;
  }
  throw new Error(`no Computer "${computer}"`);
}

/** `sharded`: the documented set-up, an office on one node. `spread`: Agents and Computers on different nodes. */
export type Layout = 'sharded' | 'spread';
