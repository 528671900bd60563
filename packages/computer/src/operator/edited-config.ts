import {
  convertConfig,
  formatProblem,
  type JsonValue,
  MASK,
  maskServer,
  readConfig,
  type ServerConfig,
} from '@a2c/config';
import { isRecord, SMCPError } from '@a2c/protocol';

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
  const full = edited ? JSON.stringify(unmask(parse(text), edited)) : text;
  const { config, problems } = readConfig(full, { file: 'the configuration' });
  if (!config) throw new SMCPError('BadRequest', problems.map(formatProblem).join('\n'));
  if (edited && (config.servers.length !== 1 || config.servers[0]?.name !== edited.name)) {
    throw new SMCPError('BadRequest', `the configuration must describe the server "${edited.name}" only`);
  }
  if (config.servers.length === 0) throw new SMCPError('BadRequest', 'the configuration contains no server');
  return { servers: config.servers, warnings: problems.map(formatProblem) };
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

/**
 * Replaces masked texts by those at the same place of the original.
 *
 * @throws SMCPError for a masked text that was moved or changed: it is not known which secret is meant
 */
function unmask(value: JsonValue, edited: ServerConfig): JsonValue {
  return unmasked(value, documentOf(maskServer(edited)), documentOf(edited), []);
}

function unmasked(
  value: JsonValue,
  shown: JsonValue | undefined,
  original: JsonValue | undefined,
  path: readonly string[],
): JsonValue {
  if (typeof value === 'string') {
    if (!value.includes(MASK)) return value;
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
      return unmasked(item, isAtItsPlace ? items[index] : undefined, originals[index], [...path, String(index)]);
    });
  }
  if (!isRecord(value)) return value;
  const fieldOf = (record: JsonValue | undefined, key: string) =>
    isRecord(record) && Object.hasOwn(record, key) ? (record[key] as JsonValue) : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      unmasked(item as JsonValue, fieldOf(shown, key), fieldOf(original, key), [...path, key]),
    ]),
  );
}

function arrayOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
