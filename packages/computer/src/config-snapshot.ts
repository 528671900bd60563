import { convertConfig, type InputDefinition, type JsonObject, maskConfig, type ServerConfig } from '@a2c/config';
import type { GetMCPConfigRet } from '@a2c/protocol';

/** The configuration as it may leave the Computer: placeholders unfilled, literal secrets masked. */
export function configSnapshot(
  servers: readonly ServerConfig[],
  inputs: readonly InputDefinition[],
): Required<GetMCPConfigRet> {
  const masked = maskConfig({ format: 'a2c', servers, inputs, client: null, proxy: null });
  const { document } = convertConfig(masked, 'a2c');
  const parts = Array.isArray(document) ? { servers: document, inputs: [] } : (document as JsonObject);
  const entries = (parts.servers as JsonObject[]).map((server) => [String(server.name), server] as const);
  return { servers: Object.fromEntries(entries), inputs: parts.inputs as JsonObject[] };
}
