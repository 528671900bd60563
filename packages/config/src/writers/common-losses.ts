import type { WritableFormat } from '../model/formats.js';
import type { ServerConfig } from '../model/server-config.js';
import type { LossList } from './losses.js';

/** What no format but A2C's can say about a server. */
export function tellA2cOnlyLosses(server: ServerConfig, to: WritableFormat, losses: LossList): void {
  const { transport } = server;
  const said = {
    forbidden_tools: server.forbidden_tools.length > 0,
    tool_meta: Object.keys(server.tool_meta).length > 0,
    default_tool_meta: server.default_tool_meta !== null,
    vrl: server.vrl !== null,
    sse_read_timeout: server.timeouts.sse_read_timeout !== null,
    terminate_on_close: transport.type === 'streamable_http' && !transport.terminate_on_close,
    encoding: transport.type === 'stdio' && transport.encoding !== 'utf-8',
    encoding_error_handler: transport.type === 'stdio' && transport.encoding_error_handler !== 'strict',
  };
  losses.addPresent(server.name, said, `${to} has no such field`);
}
