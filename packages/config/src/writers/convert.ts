import type { JsonValue } from '../json/json-value.js';
import type { WritableFormat } from '../model/formats.js';
import type { MCPConfig } from '../model/mcp-config.js';
import type { ServerConfig } from '../model/server-config.js';
import { mapTexts } from '../placeholders/syntax.js';
import { a2cWriter } from './a2c.js';
import { type Loss, LossList } from './losses.js';
import { mcpServersWriter } from './mcp-servers.js';
import { translatePlaceholders } from './translate-placeholders.js';
import { v1Writer } from './v1.js';
import { vscodeWriter } from './vscode.js';

/** A configuration written in another format. */
export interface Conversion {
  /** The document, ready for `JSON.stringify`. */
  readonly document: JsonValue;
  /** Everything the target format cannot express; empty when nothing is lost. */
  readonly losses: readonly Loss[];
}

const WRITERS = { a2c: a2cWriter, v1: v1Writer, mcpServers: mcpServersWriter, vscode: vscodeWriter };

/**
 * Writes a configuration in another format and lists what the format cannot express.
 *
 * @example
 * ```ts
 * const { document, losses } = convertConfig(config, 'vscode');
 * for (const loss of losses) console.error(formatLoss(loss));
 * console.log(JSON.stringify(document, null, 2));
 * ```
 */
export function convertConfig(config: MCPConfig, to: WritableFormat): Conversion {
  const losses = new LossList();
  const translated = { ...config, servers: config.servers.map((server) => withTranslatedTexts(server, to, losses)) };
  const document = WRITERS[to](translated, losses);
  if (to !== 'v1' && config.client) losses.add(null, 'client', `${to} has no client section`);
  if (config.proxy && Object.values(config.proxy).some((setting) => setting !== null)) {
    losses.add(null, 'proxy', `${to} has no settings for the proxy`);
  }
  return { document, losses: losses.all };
}

/**
 * Translates the transport, the only part in which every format expands placeholders. `stdout_log` is never expanded.
 */
function withTranslatedTexts(server: ServerConfig, to: WritableFormat, losses: LossList): ServerConfig {
  const { transport, name, origin } = server;
  if (transport.type === 'unix') return server;
  const onLoss = (message: string) => losses.add(name, 'placeholder', message);
  const translated = mapTexts(transport, (text) => translatePlaceholders(text, { from: origin.format, to, onLoss }));
  const { stdout_log = null } = transport.type === 'stdio' ? transport : {};
  return { ...server, transport: translated.type === 'stdio' ? { ...translated, stdout_log } : translated };
}
