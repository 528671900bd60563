import { shownName } from '../text/one-line.js';

export type InspectDetail = 'names' | 'signature' | 'full';

const DETAILS: readonly InspectDetail[] = ['names', 'signature', 'full'];

export interface InspectArguments {
  readonly server?: string;
  readonly tool?: string;
  readonly query?: string;
  readonly detail?: InspectDetail;
  readonly cursor?: string;
}

/** All servers, unless one has that name; leaving the server out says the same without doubt. */
export const EVERY_SERVER = '*';

export const INSPECT_INPUT = {
  type: 'object',
  properties: {
    server_name: { type: 'string', description: 'Server to look at; "*" for all' },
    tool_name: { type: 'string', description: 'Tool to show in full' },
    query: { type: 'string', description: 'Words to search tools by' },
    detail: { type: 'string', enum: DETAILS },
    cursor: { type: 'string', description: 'Where to read on, from an earlier answer' },
  },
  required: ['server_name'],
} as const;

/** What was asked, or what is wrong with it. No server means all of them. */
export function readInspectArguments(given: Readonly<Record<string, unknown>>): InspectArguments | string {
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(INSPECT_INPUT.properties, name)) return `inspect has no parameter "${shownName(name)}"`;
  }
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && value !== null && typeof value !== 'string') return `${name}: expected a string`;
  }
  const text = (name: string): string | undefined => (given[name] as string | null | undefined) || undefined;
  const [server, tool, query, detail, cursor] = ['server_name', 'tool_name', 'query', 'detail', 'cursor'].map(text);
  if (detail !== undefined && !isDetail(detail)) return `detail: expected one of ${DETAILS.join(', ')}`;
  return {
    ...(server && { server }),
    ...(tool && { tool }),
    ...(query && { query }),
    ...(detail && { detail }),
    ...(cursor && { cursor }),
  };
}

function isDetail(text: string): text is InspectDetail {
  return (DETAILS as readonly string[]).includes(text);
}
