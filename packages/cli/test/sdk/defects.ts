import type { Cell } from './cells.js';

/** A defect of the published SDKs, and the operations in which it shows. */
export interface Defect {
  readonly id: string;
  readonly why: string;
  readonly shows: (cell: Cell, operation: string) => boolean;
}

const isSdk = (version: string) => version !== 'a2c';
/** With `mcp` 1.30, which these versions install. */
const AUTHORIZATION = ['MCP server answers 401', 'MCP server answers 403'];

/** The known defects. The test fails when one of them disappears. */
export const DEFECTS: readonly Defect[] = [
  {
    id: 'D1',
    why: 'Agents end the connection on a message over 4 MiB, and Agents and Computers of 0.1 have no blobs. The Server of a2c answers with an error instead.',
    shows: ({ agent, server, computer }, operation) =>
      operation === 'image 5 MB' && server === 'a2c' && (agent === '0.1.6' || (isSdk(agent) && computer === '0.1.6')),
  },
  {
    id: 'D2',
    why: 'The server of 0.1 takes messages up to 1 MB, and relays no blobs.',
    shows: ({ server }, operation) => operation === 'image 5 MB' && server === '0.1.6',
  },
  {
    id: 'D3',
    why: 'The server of 0.1 does not answer when the Computer is unknown or lost.',
    shows: ({ agent, server }, operation) =>
      server === '0.1.6' &&
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

export function defectOf(cell: Cell, operation: string): Defect | undefined {
  return DEFECTS.find(({ shows }) => shows(cell, operation));
}
