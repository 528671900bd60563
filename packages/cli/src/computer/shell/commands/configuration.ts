/** Commands that change the configuration of a server in an editor, and write the configuration to a file. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { convertConfig, formatLoss, type MCPConfig, replaceFile, type ServerConfig } from '@a2c/config';
import { visibleText } from '@a2c/protocol';
import { fileArgument, ShellError, words } from '../command-line.js';
import { done, failed, type Reply, required, type Session, type ShellCommand } from '../session.js';
import { unknownServer } from '../suggestion.js';
import { addFromText } from './servers.js';

function configOf(servers: readonly ServerConfig[], inputs: MCPConfig['inputs'] = []): MCPConfig {
  return { format: 'a2c', servers, inputs, client: null, proxy: null };
}

/** `server edit`: opens the server in the user's editor and applies what was saved. */
async function edit(session: Session, rest: string): Promise<Reply> {
  const { computer, view } = session;
  const name = required(session, words(rest)[0], 'server edit <name>');
  if (!session.edit) throw new ShellError(view.say('needsTerminal'));
  const server = computer.servers().find((each) => each.name === name);
  if (!server) throw unknownServer(session, name);
  const { document } = convertConfig(configOf([server]), 'a2c');
  const text = `${JSON.stringify((document as [object])[0], null, 2)}\n`;
  let edited = text;
  for (;;) {
    edited = await session.edit(edited);
    if (edited === text) return done(view, view.say('unchanged'), { name });
    try {
      return await addFromText(session, edited, name);
    } catch (error) {
      if (!(error instanceof ShellError)) throw error;
      const reason = view.paint('red', visibleText(view.translate(error.message)));
      const answer = await session.ask?.(`${reason}\n${view.say('editAgain')}`);
      if (!['', 'y', 'yes', '是'].includes(answer?.trim().toLowerCase() ?? 'no')) {
        return failed(view, view.say('editDiscarded'), { name });
      }
    }
  }
}

/** `save`: writes servers and inputs to a file, without the values of inputs. */
async function save(session: Session, rest: string): Promise<Reply> {
  const { computer, view, settings } = session;
  const given = words(rest).filter((word) => word !== '--force');
  const isForced = words(rest).includes('--force');
  const name = given[0] === undefined ? undefined : (fileArgument(given[0]) ?? given[0]);
  const file = name === undefined ? settings.config : resolve(settings.root, name);
  if (file === undefined) throw new ShellError(view.say('usage', { usage: 'save <file> [--force]' }));
  if (!isForced && (await exists(file))) throw new ShellError(view.say('fileExists', { file }));
  const { document, losses } = convertConfig(configOf(computer.servers(), computer.inputs()), 'a2c');
  await replaceFile(file, `${JSON.stringify(document, null, 2)}\n`);
  return { ...done(view, view.say('saved', { file }), { file }), warnings: losses.map(formatLoss) };
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

export const configurationCommands: readonly ShellCommand[] = [
  { path: 'server edit', usage: '<name>', help: 'help_serverEdit', argument: 'server', handlesSignal: true, run: edit },
  { path: 'save', usage: '[<file>] [--force]', help: 'help_save', argument: 'file', run: save },
];
