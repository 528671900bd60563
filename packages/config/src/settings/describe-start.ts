import { oneLine } from '@a2c/protocol';
import { commandLine } from '../inputs/run-command.js';
import { type InputDefinition, type InputOption, orderedArguments } from '../model/input-definition.js';
import { MASK } from '../model/mask-config.js';
import { OAUTH_SECRETS, type OAuthSettings } from '../model/oauth-settings.js';
import type { SandboxSettings, ServerConfig, Transport } from '../model/server-config.js';
import { hasPlaceholder } from '../placeholders/syntax.js';
import { inputIdsOf } from './server-inputs.js';

/**
 * What a server starts or connects to, and everything that decides which code runs, what is sent and what it may do
 * without a question. The first line is the command or the address. Every text is one line without hidden characters.
 *
 * @param inputs Those that come with the server. All others are those of the user.
 */
export function describeStart(server: ServerConfig, inputs: readonly InputDefinition[]): readonly string[] {
  const { transport, vrl, tool_meta, default_tool_meta, forbidden_tools, pins } = server;
  return [
    ...transportLines(transport),
    ...(vrl === null ? [] : [`with results changed by the script ${shownText(vrl)}`]),
    ...(default_tool_meta ? [`with the settings of all tools ${shownText(JSON.stringify(default_tool_meta))}`] : []),
    ...Object.entries(tool_meta).map(
      ([tool, meta]) => `with the settings of the tool ${shownWord(tool)} ${shownText(JSON.stringify(meta))}`,
    ),
    ...(forbidden_tools.length === 0 ? [] : [`without the tools ${shownWords(forbidden_tools)}`]),
    ...(pins === undefined ? [] : [`with pins ${pins}`]),
    ...[...inputIdsOf(server)].flatMap((id) => inputLine(id, inputs)),
  ];
}

/** A person does not read more than this many characters of one server before an answer. */
export const MAX_REVIEWED = 8_000;

/** The characters that a question about these lines has, if they are more than a person can review. */
export function unreviewable(lines: readonly string[]): number | undefined {
  const length = lines.reduce((sum, line) => sum + line.length, 0);
  return length > MAX_REVIEWED ? length : undefined;
}

/** What an input is replaced with unless a person answers otherwise; the command line is that which runs. */
function inputLine(id: string, inputs: readonly InputDefinition[]): readonly string[] {
  const input = inputs.find((each) => each.id === id);
  const name = oneLine(JSON.stringify(id));
  if (!input) return [`with your input ${name}`];
  if (input.type === 'command') {
    const [program, argv] = commandLine(input.command, orderedArguments(input));
    return [`with the input ${name}, the output of ${shownWords([program, ...argv])}`];
  }
  const options = input.type === 'pickString' ? `, one of ${input.options.map(shownOption).join(' ')}` : '';
  const fallback = input.default === null ? '' : `, by default ${shownWord(input.default)}`;
  return options || fallback ? [`with the input ${name}${options}${fallback}`] : [];
}

const shownOption = ({ label, value }: InputOption): string =>
  label === value ? shownWord(value) : `${shownWord(label)}=${shownWord(value)}`;

/** A text of somebody else on one line. Blanks must not move what follows out of sight. */
export function shownText(text: string): string {
  return oneLine(shortened(text));
}

function transportLines(transport: Transport): readonly string[] {
  if (transport.type === 'unix') return [shownText(transport.unix_path)];
  if (transport.type === 'stdio') {
    const { argv, cwd, env_file, env, inherit_env, stdout_log, sandbox } = transport;
    return [
      shownWords(argv),
      ...(cwd === null ? [] : [`in the folder ${shownText(cwd)}`]),
      ...(env_file === null ? [] : [`with the variables of ${shownText(env_file)}`]),
      ...Object.entries(env).map(([name, value]) => `with the variable ${shownText(name)}=${shownText(value)}`),
      ...(inherit_env ? ['with all your environment variables'] : []),
      ...(stdout_log ? [`with its output recorded in ${shownText(stdout_log.path)}`] : []),
      ...(sandbox ? [sandboxLine(sandbox)] : []),
    ];
  }
  const { url, http_headers, env_http_headers, bearer_token_env_var, oauth } = transport;
  const headers = [
    ...Object.entries(http_headers),
    ...Object.entries(env_http_headers).map(([header, variable]) => [header, `\${env:${variable}}`]),
    ...(bearer_token_env_var === null ? [] : [['Authorization', `Bearer \${env:${bearer_token_env_var}}`]]),
  ];
  return [
    shownText(url),
    ...('sse_url' in transport && transport.sse_url !== null ? [`and ${shownText(transport.sse_url)}`] : []),
    ...headers.map(([header = '', value = '']) => `with the header ${shownText(header)}: ${shownText(value)}`),
    ...(oauth ? oauthLines(oauth) : []),
  ];
}

function sandboxLine({ read, write, network }: SandboxSettings): string {
  const paths = (may: string, list: readonly string[]) => (list.length === 0 ? [] : [`${may} ${shownWords(list)}`]);
  const allowed = [...paths('reads', read), ...paths('changes', write), ...(network ? ['uses the network'] : [])];
  return allowed.length === 0 ? 'in a sandbox' : `in a sandbox where it ${allowed.join(' and ')}`;
}

/** All settings, because each may name a secret of the user; only secrets that the file itself contains are masked. */
function oauthLines({ grant = 'authorization_code', ...settings }: OAuthSettings): readonly string[] {
  return [
    `with an OAuth login by ${grant}`,
    ...Object.entries(settings).map(([field, value]) => {
      const isMasked = (OAUTH_SECRETS as readonly string[]).includes(field) && !hasPlaceholder(String(value));
      return `with the OAuth ${field}: ${isMasked ? MASK : shownText([value].flat().join(' '))}`;
    }),
  ];
}

const shownWords = (words: readonly string[]): string => words.map(shownWord).join(' ');

/** Words that could look like several, or like another word, are written as JSON. */
function shownWord(word: string): string {
  const short = shortened(word);
  return /^[^\s"']+$/.test(word) && oneLine(word) === word ? short : oneLine(JSON.stringify(short));
}

/** Line breaks are counted apart from blanks: they end a command of a shell. Everything else is shown in full. */
function shortened(text: string): string {
  return text.replaceAll(/[^\S\r\n]{5,}|[\r\n]{5,}/g, (run) =>
    /[\r\n]/.test(run) ? `[${run.length} line breaks]` : `[${run.length} blanks]`,
  );
}
