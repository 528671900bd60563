import type { AgentEvents } from '@a2c/agent';
import { reasonInWords } from '../connection-reasons.js';
import { print, printRow } from '../output.js';
import { stopSignal } from '../process-signals.js';
import { type AgentCommandOptions, withAgent } from './agent-options.js';

const WATCHED = [
  'computerEntered',
  'computerLeft',
  'configUpdated',
  'toolsChanged',
  'desktopRefreshed',
  'callCancelled',
  'disconnected',
  'reconnected',
  'warning',
] as const satisfies (keyof AgentEvents)[];

type Fields = Readonly<Record<string, string | number | readonly string[]>>;

/** `a2c agent watch`: prints events until a signal, or until another Agent takes over the seat. */
export async function watch(options: AgentCommandOptions): Promise<void> {
  await withAgent(options, async (agent) => {
    await agent.ready();
    const printEvent = options.json ? printAsJson : printAsText;
    const isRepeated = repeatedWarnings();
    for (const event of WATCHED) {
      agent.on(event, (value) => {
        const fields = fieldsOf(value);
        if (!isRepeated(event, fields)) printEvent(event, fields);
      });
    }
    const ended = new Promise<never>((_, reject) => agent.on('ended', reject));
    const stopped = stopSignal();
    if (options.json)
      printAsJson('ready', { url: options.url, office: agent.office, computers: [...agent.computers.keys()] });
    else print(`ready ${options.url}`);
    await Promise.race([stopped, ended]);
  });
}

/** Returns a filter: while a server is unreachable every attempt gives the same warning, which is printed once. */
function repeatedWarnings(): (event: string, fields: Fields) => boolean {
  let lastWarning: string | undefined;
  return (event, { message }) => {
    if (event === 'reconnected') lastWarning = undefined;
    if (event !== 'warning') return false;
    const isRepeated = message === lastWarning;
    lastWarning = String(message);
    return isRepeated;
  };
}

/** The fields to print. Computers and errors are reduced to what identifies them. */
function fieldsOf(value: AgentEvents[keyof AgentEvents] & object): Fields {
  if (value instanceof Error) return { code: value.code, message: value.message };
  if (!('tools' in value)) return value as Fields;
  return { computer: value.name, tools: value.tools.map(({ name }) => name) };
}

function printAsJson(event: string, fields: Fields): void {
  print(JSON.stringify({ event, time: new Date().toISOString(), ...fields }));
}

function printAsText(event: string, fields: Fields): void {
  const cells = Object.values(fields).map((field) =>
    reasonInWords(Array.isArray(field) ? field.join(' ') : String(field)),
  );
  printRow([new Date().toISOString().slice(11, 19), event, ...cells]);
}
