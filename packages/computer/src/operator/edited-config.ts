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
 * value.
 *
 * @throws SMCPError that lists every problem
 */
export function readEdited(text: string, edited: ServerConfig | undefined): EditedConfig {
  const full = edited ? JSON.stringify(unmasked(parse(text), documentOf(edited))) : text;
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

/** Replaces masked texts by those at the same place of the original. */
function unmasked(value: JsonValue, original: JsonValue | undefined): JsonValue {
  if (typeof value === 'string') return value.includes(MASK) && typeof original === 'string' ? original : value;
  if (Array.isArray(value)) {
    return value.map((item, index) => unmasked(item, Array.isArray(original) ? original[index] : undefined));
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      unmasked(item as JsonValue, isRecord(original) ? (original[key] as JsonValue) : undefined),
    ]),
  );
}
