import type { AgentEvents } from '@a2c/agent';
import { print, printRow } from '../output.js';
import { stopSignal } from '../signals.js';
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

type Facts = Readonly<Record<string, string | number | readonly string[]>>;

/** `a2c agent watch`: until a signal, or until the office is another Agent's. */
export async function watch(options: AgentCommandOptions): Promise<void> {
  await withAgent(options, async (agent) => {
    await agent.ready();
    const say = options.json ? sayJson : sayText;
    const isNews = newsOnly();
    for (const event of WATCHED) {
      agent.on(event, (value) => {
        const facts = factsOf(value);
        if (isNews(event, facts)) say(event, facts);
      });
    }
    const ended = new Promise<never>((_, reject) => agent.on('ended', reject));
    const stopped = stopSignal();
    if (options.json)
      sayJson('ready', { url: options.url, office: agent.office, computers: [...agent.computers.keys()] });
    else print(`ready ${options.url}`);
    await Promise.race([stopped, ended]);
  });
}

/** While a server is away every attempt fails in the same way: that is said once, and again after something else went wrong. */
function newsOnly(): (event: string, facts: Facts) => boolean {
  let warned: string | undefined;
  return (event, { message }) => {
    if (event === 'reconnected') warned = undefined;
    if (event !== 'warning') return true;
    const isNews = message !== warned;
    warned = String(message);
    return isNews;
  };
}

/** Computers and errors are large; a line names what a person looks for. */
function factsOf(value: AgentEvents[keyof AgentEvents] & object): Facts {
  if (value instanceof Error) return { code: value.code, message: value.message };
  if (!('tools' in value)) return value as Facts;
  return { computer: value.name, tools: value.tools.map(({ name }) => name) };
}

function sayJson(event: string, facts: Facts): void {
  print(JSON.stringify({ event, time: new Date().toISOString(), ...facts }));
}

function sayText(event: string, facts: Facts): void {
  const words = Object.values(facts).map((fact) => (Array.isArray(fact) ? fact.join(' ') : String(fact)));
  printRow([new Date().toISOString().slice(11, 19), event, ...words]);
}
