import type { WritableFormat } from '../model/formats.js';
import type { ServerConfig } from '../model/server-config.js';

/** A part of a configuration that the target format cannot express. */
export interface Loss {
  /** The server that loses something; null when the loss concerns the whole file. */
  readonly server: string | null;
  readonly field: string;
  readonly message: string;
}

/** One line for a person: `server: field: message`. */
export function formatLoss({ server, field, message }: Loss): string {
  return `${server === null ? field : `${server}: ${field}`}: ${message}`;
}

/** Collects the losses of one conversion. */
export class LossList {
  readonly #losses: Loss[] = [];

  get all(): readonly Loss[] {
    return this.#losses;
  }

  add(server: string | null, field: string, message: string): void {
    this.#losses.push({ server, field, message });
  }

  /** Adds a loss for every field whose flag is true. */
  addFields(server: string, fields: Readonly<Record<string, boolean>>, message: string): void {
    for (const [field, isSet] of Object.entries(fields)) if (isSet) this.add(server, field, message);
  }

  /** Adds the fields of a server that only the a2c format has. */
  addA2cOnlyFields(server: ServerConfig, to: WritableFormat): void {
    const { transport } = server;
    const fields = {
      bundle_id: server.bundle_id !== undefined,
      forbidden_tools: server.forbidden_tools.length > 0,
      tool_meta: Object.keys(server.tool_meta).length > 0,
      default_tool_meta: server.default_tool_meta !== null,
      vrl: server.vrl !== null,
      sse_read_timeout: server.timeouts.sse_read_timeout !== null,
      terminate_on_close: transport.type === 'streamable_http' && !transport.terminate_on_close,
      encoding: transport.type === 'stdio' && transport.encoding !== 'utf-8',
      encoding_error_handler: transport.type === 'stdio' && transport.encoding_error_handler !== 'strict',
    };
    this.addFields(server.name, fields, `${to} has no such field`);
  }
}
