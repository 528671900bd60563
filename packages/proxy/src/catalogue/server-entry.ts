import { cut, oneLine, shownName } from '../text/one-line.js';
import type { ToolboxServer, ToolboxTool } from '../toolbox.js';

const MAX_INSTRUCTIONS = 300;
const MAX_SHORT_INSTRUCTIONS = 100;
const MAX_DESCRIPTION = 80;
const MAX_CAUSE = 120;

/** How much of a server is told, from least to most. */
export type Detail = 'count' | 'names' | 'lines';

/** One server in the catalogue, without line breaks of its own making; never ends with one. */
export function serverEntry(server: ToolboxServer, detail: Detail): string {
  if (detail === 'count') return heading(server, countOf(server));
  if (detail === 'names') {
    const about = instructionsOf(server, MAX_SHORT_INSTRUCTIONS);
    const names = server.tools.map(({ name }) => shownName(name)).join(', ');
    return `${heading(server, about)}${names && `\n    ${names}`}`;
  }
  const lines = server.tools.map((tool) => `\n    - ${toolLine(tool)}`);
  return `${heading(server, instructionsOf(server, MAX_INSTRUCTIONS))}${lines.join('')}`;
}

function heading(server: ToolboxServer, about: string): string {
  const troubles = troubleOf(server);
  const told = [troubles && `(${troubles})`, about].filter((part) => part !== '').join(' ');
  return `  Server: ${shownName(server.name)}${told && ` - ${told}`}`;
}

/** Why a server cannot be used, if so. One that starts with remembered tools will have them in a moment. */
export function troubleOf({ state, cause = '', tools }: ToolboxServer): string {
  if (state === 'ready' || (state === 'starting' && tools.length > 0)) return '';
  const reason = cut(oneLine(cause), MAX_CAUSE);
  return reason === '' ? state : `${state}: ${reason}`;
}

export function countOf({ tools }: ToolboxServer): string {
  return `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
}

function instructionsOf({ instructions = '' }: ToolboxServer, limit: number): string {
  return cut(oneLine(instructions), limit);
}

function toolLine({ name, description = '', title = '' }: ToolboxTool): string {
  const text = cut(oneLine(description || title), MAX_DESCRIPTION);
  return text === '' ? shownName(name) : `${shownName(name)}: ${text}`;
}
