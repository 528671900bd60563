import type { JsonObject, JsonValue } from '../json/json-value.js';
import type { WritableFormat } from '../model/formats.js';
import type { MCPConfig } from '../model/mcp-config.js';
import type { ServerConfig, Transport } from '../model/server-config.js';
import { a2cWriter } from './a2c.js';
import { type Loss, LossList } from './losses.js';
import { mcpServersWriter } from './mcp-servers.js';
import { translatePlaceholders, translateValue } from './translate-placeholders.js';
import { v1Writer } from './v1.js';
import { vscodeWriter } from './vscode.js';

export interface Conversion {
  readonly document: JsonValue;
  /** Empty: the document says everything the configuration did. */
  readonly losses: readonly Loss[];
}

const WRITERS = { a2c: a2cWriter, v1: v1Writer, mcpServers: mcpServersWriter, vscode: vscodeWriter };

/** The configuration in another format, and what could not be carried over. */
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

/** Only where a placeholder counts in some format: the transport. Paths that never expand are the same everywhere. */
function withTranslatedTexts(server: ServerConfig, to: WritableFormat, losses: LossList): ServerConfig {
  const translate = (text: string) =>
    translatePlaceholders(text, server.origin.format, to, (message) => losses.add(server.name, 'placeholder', message));
  const { transport } = server;
  if (transport.type === 'unix') return server;
  const translated = translateValue(transport as unknown as JsonObject, translate) as unknown as Transport;
  const { stdout_log = null } = transport.type === 'stdio' ? transport : {};
  return { ...server, transport: translated.type === 'stdio' ? { ...translated, stdout_log } : translated };
}
