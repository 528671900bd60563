import {
  convertConfig,
  formatProblem,
  type JsonValue,
  MASK,
  maskServer,
  readConfig,
  type ServerConfig,
} from '@a2c/config';
import { isRecord, SMCPError, stringsIn } from '@a2c/protocol';

/** A configuration that an operator submitted. */
export interface EditedConfig {
  readonly servers: readonly ServerConfig[];
  readonly warnings: readonly string[];
}

/** The configuration of one MCP server as JSON, with secrets masked. */
export function configText(server: ServerConfig): string {
  return JSON.stringify(documentOf(maskServer(server)), null, 2);
}

/**
 * Reads a submitted configuration in any known format. A masked value of the server that is edited keeps its present
 * value, if its place is the same.
 *
 * @throws SMCPError that lists every problem
 */
export function readEdited(text: string, edited: ServerConfig | undefined): EditedConfig {
  const { full, kept } = edited ? unmask(parse(text), edited) : { full: text, kept: [] };
  const { config, problems } = readConfig(full, { file: 'the configuration' });
  if (!config) throw new SMCPError('BadRequest', problems.map(formatProblem).join('\n'));
  if (edited && (config.servers.length !== 1 || config.servers[0]?.name !== edited.name)) {
    throw new SMCPError('BadRequest', `the configuration must describe the server "${edited.name}" only`);
  }
  const [server] = config.servers;
  if (edited && server && kept.length > 0 && receiverOf(server) !== receiverOf(edited)) {
    const reason =
      'the program, the address, or a variable or header that decides about them has changed; it must not receive secrets that were entered for another';
    throw new SMCPError('BadRequest', `${reason}: enter these values again: ${kept.join(', ')}`);
  }
  for (const { name, transport } of edited ? [] : config.servers) {
    if (!stringsIn(transport).some((each) => each.includes(MASK))) continue;
    throw new SMCPError('BadRequest', `server "${name}": "${MASK}" is a masked value; enter the secret instead`);
  }
  if (config.servers.length === 0) throw new SMCPError('BadRequest', 'the configuration contains no server');
  return { servers: config.servers, warnings: problems.map(formatProblem) };
}

/** Variables that decide which code runs, or to which address a program sends its secrets. */
const DECIDING_VARIABLE =
  /^(?:PATH|PATHEXT|SHELL|COMSPEC|ENV|HOME)$|^(?:LD|DYLD|BASH|NODE|NPM_CONFIG|_?JAVA|JDK|DOTNET|GIT|UV|PIP|DENO|BUN)_|^(?:PYTHON|PERL5|RUBY)|(?:OPTIONS|OPTS?|PROXY|UR[LI]|HOST|ENDPOINT|REGISTRY)$/i;

function selected(map: Readonly<Record<string, string>>, pattern: RegExp): [string, string][] {
  return Object.entries(map)
    .filter(([name]) => pattern.test(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Who receives the secrets of a server: its program with its arguments, or its addresses. */
function receiverOf({ transport }: ServerConfig): string {
  if (transport.type === 'unix') return JSON.stringify(transport.unix_path);
  if (transport.type === 'stdio') {
    return JSON.stringify([transport.argv, transport.cwd, selected(transport.env, DECIDING_VARIABLE)]);
  }
  const { url, oauth, http_headers } = transport;
  const urls = [url, 'sse_url' in transport ? transport.sse_url : null, oauth?.issuer, oauth?.idp_token_endpoint];
  const origins = urls.map((each) => (each && URL.canParse(each) ? new URL(each).origin : each));
  return JSON.stringify([origins, selected(http_headers, /^host$/i)]);
}

/** The a2c format is an array of servers; here it has one. */
function documentOf(server: ServerConfig): JsonValue {
  const { document } = convertConfig(
    { format: 'a2c', servers: [server], inputs: [], client: null, proxy: null },
    'a2c',
  );
  return (
    (Array.isArray(document) ? document[0] : ((document as { servers: JsonValue[] }).servers[0] as JsonValue)) ?? {}
  );
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new SMCPError('BadRequest', `not JSON: ${(error as Error).message}`);
  }
}

/** A configuration with its secrets, and where they were kept. */
interface Unmasked {
  readonly full: string;
  readonly kept: readonly string[];
}

/**
 * Replaces masked texts by those at the same place of the original.
 *
 * @throws SMCPError for a masked text that was moved or changed: it is not known which secret is meant
 */
function unmask(value: JsonValue, edited: ServerConfig): Unmasked {
  const kept: string[] = [];
  const onKept = (path: string) => kept.push(path);
  const full = unmasked(value, documentOf(maskServer(edited)), documentOf(edited), { path: [], onKept });
  return { full: JSON.stringify(full), kept };
}

interface Place {
  readonly path: readonly string[];
  readonly onKept: (path: string) => void;
}

function unmasked(
  value: JsonValue,
  shown: JsonValue | undefined,
  original: JsonValue | undefined,
  { path, onKept }: Place,
): JsonValue {
  const at = (key: string | number) => ({ path: [...path, String(key)], onKept });
  if (typeof value === 'string') {
    if (!value.includes(MASK)) return value;
    onKept(path.join('.'));
    if (value === shown && original !== undefined) return original;
    throw new SMCPError(
      'BadRequest',
      `${path.join('.')}: "${MASK}" stands for a secret only where it was shown, next to what was shown beside it; enter the secret again`,
    );
  }
  if (Array.isArray(value)) {
    const [items, originals] = [arrayOf(shown), arrayOf(original)];
    // Whether a value is a secret depends on the option before it.
    const isSame = (index: number) => value[index] === items[index];
    const hasSameLength = value.length === items.length;
    return value.map((item, index) => {
      const isAtItsPlace = hasSameLength && isSame(index - 1) && isSame(index + 1);
      return unmasked(item, isAtItsPlace ? items[index] : undefined, originals[index], at(index));
    });
  }
  if (!isRecord(value)) return value;
  const fieldOf = (record: JsonValue | undefined, key: string) =>
    isRecord(record) && Object.hasOwn(record, key) ? (record[key] as JsonValue) : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      unmasked(item as JsonValue, fieldOf(shown, key), fieldOf(original, key), at(key)),
    ]),
  );
}

function arrayOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
