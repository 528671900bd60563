import type { Members } from './cells.js';

/** A defect of the published SDKs, and the operations in which it shows. */
export interface Defect {
  readonly id: string;
  readonly why: string;
  readonly shows: (cell: Members, operation: string) => boolean;
}

const isSdk = (version: string) => version !== 'a2c';
const isFirst = (version: string) => version.startsWith('0.1');
/** The Agents for threads use another library, which has no such limit. */
const hasLimit = (agent: string) => isSdk(agent) && !agent.endsWith('sync');
/** With `mcp` 1.30, which these versions install. */
const AUTHORIZATION = ['MCP server answers 401', 'MCP server answers 403'];

/** The known defects. The test fails when one of them disappears. */
export const DEFECTS: readonly Defect[] = [
  {
    id: 'D1',
    why: 'Agents end the connection on a message over 4 MiB, and Agents and Computers of 0.1 have no blobs. The Server of a2c answers with an error instead.',
    shows: ({ agent, server, computer }, operation) =>
      operation === 'image 5 MB' && server === 'a2c' && hasLimit(agent) && (isFirst(agent) || isFirst(computer)),
  },
  {
    id: 'D2',
    why: 'The server of 0.1 takes messages up to 1 MB, and relays no blobs.',
    shows: ({ server }, operation) => operation === 'image 5 MB' && isFirst(server),
  },
  {
    id: 'D3',
    why: 'The server of 0.1 does not answer when the Computer is unknown or lost.',
    shows: ({ agent, server }, operation) =>
      isFirst(server) &&
      (['unknown Computer', 'Computer lost in a call'].includes(operation) ||
        (operation === 'tools of an unknown Computer' && isSdk(agent))),
  },
  {
    id: 'D4',
    why: 'Computers of 0.1 ignore a cancellation.',
    shows: ({ computer }, operation) =>
      computer === '0.1.6' && ['cancel', 'cancel reaches the MCP server'].includes(operation),
  },
  {
    id: 'D5',
    why: 'Computers of 0.1 and 0.2 do not list the tools that an MCP server adds later. An Agent of a2c reports only real changes.',
    shows: ({ agent, computer }, operation) =>
      agent === 'a2c' && ['0.1.6', '0.2.2'].includes(computer) && operation === 'update_tool_list',
  },
  {
    id: 'D6',
    why: 'Computers of 0.3 and 0.4 do not report that an MCP server refused the authorization of a call: the call hangs until its timeout.',
    shows: ({ computer }, operation) => ['0.3.3', '0.4.2'].includes(computer) && AUTHORIZATION.includes(operation),
  },
];

/** Those of the Rust SDK 0.4.1. */
export const RUST_DEFECTS: readonly Defect[] = [
  {
    id: 'R1',
    why: 'The server states that it takes messages of up to 100 KB, and a Computer of a2c sends no larger ones. A large text becomes an error, because an Agent behind this server may read only images and files as blobs.',
    shows: ({ server, computer }, operation) => isSdk(server) && computer === 'a2c' && operation === 'text 300 KB',
  },
];

export function defectOf(defects: readonly Defect[], cell: Members, operation: string): Defect | undefined {
  return defects.find(({ shows }) => shows(cell, operation));
}
