import { raceSignal } from '@a2c/protocol';
import { firstWord, ShellError } from './command-line.js';
import { approvalCommands } from './commands/approvals.js';
import { callCommands } from './commands/calls.js';
import { configurationCommands } from './commands/configuration.js';
import { inputCommands } from './commands/inputs.js';
import { loginCommands } from './commands/logins.js';
import { clearCommand, desktopCommands, helpCommand, overviewCommands } from './commands/overview.js';
import { serverCommands } from './commands/servers.js';
import { skillCommands } from './commands/skills.js';
import { socketCommands } from './commands/socket.js';
import type { Reply, Session, ShellCommand } from './session.js';
import { withSuggestion } from './suggestion.js';

const quit: ShellCommand = {
  path: 'quit',
  usage: '',
  help: 'help_quit',
  argument: 'none',
  run: async ({ view }) => ({ data: { ok: true }, text: view.say('bye'), end: true }),
};

/** Every command, in the order in which `help` shows them. */
export const COMMANDS: readonly ShellCommand[] = [
  helpCommand(() => COMMANDS),
  ...overviewCommands,
  ...serverCommands,
  ...approvalCommands,
  ...loginCommands,
  ...configurationCommands,
  ...inputCommands,
  ...desktopCommands,
  ...skillCommands,
  ...callCommands,
  ...socketCommands,
  clearCommand,
  quit,
];

/** Synonyms for the first and the last word of a command. */
const FIRST_WORDS: ReadonlyMap<string, string> = new Map([
  ['?', 'help'],
  ['exit', 'quit'],
]);
const LAST_WORDS: ReadonlyMap<string, string> = new Map([['remove', 'rm']]);

/** True for the first word of a command. */
export function isCommandWord(word: string): boolean {
  const plain = word.toLowerCase();
  const first = FIRST_WORDS.get(plain) ?? plain;
  return COMMANDS.some(({ path }) => path === first || path.startsWith(`${first} `));
}

/** Runs one line. Returns undefined for an empty line or a comment; rejects with the signal's reason when it aborts. */
export async function runLine(session: Session, line: string): Promise<Reply | undefined> {
  const trimmed = line.trim();
  if (trimmed === '' || trimmed.startsWith('#')) return undefined;
  const { command, rest } = findCommand(trimmed, session);
  const reply = command.run(session, rest);
  return command.handlesSignal ? reply : raceSignal(reply, session.signal);
}

interface FoundCommand {
  readonly command: ShellCommand;
  readonly rest: string;
}

function findCommand(line: string, { view }: Session): FoundCommand {
  let path = '';
  let rest = line;
  for (;;) {
    const [word, after] = firstWord(rest);
    const plain = word.toLowerCase();
    const step = (path === '' ? FIRST_WORDS : LAST_WORDS).get(plain) ?? plain;
    const next = path === '' ? step : `${path} ${step}`;
    const command = COMMANDS.find((each) => each.path === next);
    if (command) return { command, rest: after };
    const below = COMMANDS.filter((each) => each.path.startsWith(`${next} `));
    if (below.length === 0) throw unknown(path, word, view);
    path = next;
    rest = after;
  }
}

function unknown(path: string, word: string, { say }: Session['view']): ShellError {
  const before = path === '' ? '' : `${path} `;
  const paths = COMMANDS.map((each) => each.path).filter((each) => each.startsWith(before));
  const words = [...new Set(paths.map((each) => each.slice(before.length).split(' ')[0] ?? ''))];
  const known = words.join(', ');
  if (word === '') return new ShellError(say('missingSubcommand', { path, known }));
  const message = path === '' ? say('unknownCommand', { name: word }) : say('unknownSubcommand', { name: word, known });
  return new ShellError(withSuggestion(message, word.toLowerCase(), words, { say, before }));
}
