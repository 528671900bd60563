import type { Registry } from '../registry.js';
import { isSchemaObject } from '../schema/json-schema.js';
import type { ToolboxTool } from '../toolbox.js';
import { type Exposed, exposeNames } from './exposed-names.js';
import { mismatchingHeader } from './param-headers.js';
import { bodyOf } from './request-body.js';
import { rpcError } from './rpc-error.js';

const HEADER_MISMATCH = -32020;

/** The tools of all servers under the names they have in pass-through mode. */
export function exposedTools(registry: Registry): readonly Exposed<ToolboxTool>[] {
  return exposeNames(registry.servers.map(({ name, tools }) => ({ server: name, items: tools })));
}

/** The refusal of a call over HTTP whose headers contradict its arguments; undefined for all others. */
export async function refusedHeaders(request: Request, registry: Registry): Promise<Response | undefined> {
  const body = await bodyOf(request, 'tools/call');
  if (!isSchemaObject(body) || !isSchemaObject(body.params)) return undefined;
  const { id, params } = body;
  const tool = exposedTools(registry).find(({ name }) => name === params.name);
  if (!tool || !isSchemaObject(params.arguments)) return undefined;
  const header = mismatchingHeader(tool.item.inputSchema, params.arguments, request.headers);
  if (header === undefined) return undefined;
  return rpcError(400, HEADER_MISMATCH, `The header ${header} does not repeat the argument it stands for`, id);
}
