import { displayName } from '../text/one-line.js';

export const RUN = 'run';

const DESCRIPTION = (namespace: string): string =>
  [
    'Run JavaScript or TypeScript that calls tools. Use it for many calls, paging, joins and filters; exec for one call.',
    `await ${namespace}.TOOL(args) returns the tool's data, or throws an Error with code and message. Names that are no`,
    `identifiers: servers["my-server"]["my-tool"]. await search(query) and await describe(server, tool) find tools and their`,
    'types. print(...), await sleep(ms). Promise.all runs calls in parallel. Return only what you need.',
  ].join(' ');

/** The definition of `run`, for clients. It carries the annotations of the most dangerous tool that code can call. */
export function runDefinition(hasComputers: boolean) {
  return {
    name: RUN,
    title: 'Run code',
    description: DESCRIPTION(hasComputers ? 'computers.COMPUTER.SERVER' : 'servers.SERVER'),
    inputSchema: {
      type: 'object',
      properties: {
        code: { type: 'string', description: 'Body of an async function' },
        timeout: { type: 'number', description: 'Seconds' },
      },
      required: ['code'],
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  } as const;
}

export interface RunArguments {
  readonly code: string;
  /** Seconds. */
  readonly timeout?: number;
}

/** Reads the arguments of `run`, or returns what is wrong with them. */
export function readRunArguments(given: Readonly<Record<string, unknown>>): RunArguments | string {
  const { code, timeout = null, ...others } = given;
  if (typeof code !== 'string' || code.trim() === '') return 'code: expected JavaScript or TypeScript as a string';
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `run has no parameter "${displayName(unknown)}"`;
  if (timeout === null) return { code };
  if (typeof timeout !== 'number' || !(timeout > 0)) return 'timeout: expected a number of seconds above 0';
  return { code, timeout };
}
