import { z } from 'zod';
import { ENCODING_ERROR_HANDLERS } from '../model/server-config.js';
import { inputDefinition } from './input-schema.js';
import { closed, duration, headerName, headerText, httpUrl, notBlank, stdoutLog, toolMeta } from './vocabulary.js';

/** Every spelling that peers write, by what it means. */
export const A2C_TYPES = {
  stdio: ['stdio', 'Stdio', 'STDIO'],
  streamable_http: ['streamable', 'http', 'Http', 'HTTP', 'streamable_http', 'streamable-http', 'streamableHttp'],
  sse: ['sse', 'Sse', 'SSE'],
  unix: ['unix'],
} as const;

const anyHeaderValue = z.union([headerText, z.number(), z.boolean(), z.null()], {
  error: 'expected a legal HTTP header value: text, a number or a boolean',
});
const headers = z.record(headerName, anyHeaderValue).nullish();
/** Fields of `mcp.json` v1 that A2C's own documents do not have; our native format can say everything the model can. */
const secretSources = {
  bearer_token_env_var: notBlank.nullish(),
  env_http_headers: z.record(headerName, notBlank).nullish(),
};

const stdioParameters = {
  command: notBlank,
  args: z.array(z.string()).nullish(),
  env: z.record(notBlank, z.string()).nullish(),
  cwd: notBlank.nullish(),
  encoding: notBlank.nullish(),
  encoding_error_handler: z.enum(ENCODING_ERROR_HANDLERS).nullish(),
  envFile: notBlank.nullish(),
  inherit_env: z.boolean().nullish(),
  stdout_log: stdoutLog.nullish(),
};
const streamableParameters = {
  url: httpUrl,
  headers,
  timeout: duration.nullish(),
  sse_read_timeout: duration.nullish(),
  terminate_on_close: z.boolean().nullish(),
  sse_url: httpUrl.nullish(),
  ...secretSources,
};
const sseParameters = {
  url: httpUrl,
  headers,
  timeout: duration.nullish(),
  sse_read_timeout: duration.nullish(),
  ...secretSources,
};
const unixParameters = { unix_path: notBlank };

const common = {
  $schema: z.string().optional(),
  name: notBlank,
  disabled: z.boolean().nullish(),
  forbidden_tools: z.array(z.string()).nullish(),
  tool_meta: z.record(z.string(), toolMeta).nullish(),
  default_tool_meta: toolMeta.nullish(),
  vrl: z.string().nullish(),
  /** Protocol 0.3 derives its own identity from it; ours is the name. */
  bundle_id: z.string().nullish(),
};
/** In a map of servers the key is the name, and repeating it is allowed. */
const nameOptional = { name: notBlank.optional() };

const tags = {
  stdio: z.enum(A2C_TYPES.stdio),
  streamable: z.enum(A2C_TYPES.streamable_http),
  sse: z.enum(A2C_TYPES.sse),
  unix: z.enum(A2C_TYPES.unix),
};

function nestedServer<Extra extends z.ZodRawShape>(extra: Extra) {
  return z.discriminatedUnion('type', [
    closed({ ...common, ...extra, type: tags.stdio, server_parameters: closed(stdioParameters) }),
    closed({ ...common, ...extra, type: tags.streamable, server_parameters: closed(streamableParameters) }),
    closed({ ...common, ...extra, type: tags.sse, server_parameters: closed(sseParameters) }),
    closed({ ...common, ...extra, type: tags.unix, server_parameters: closed(unixParameters) }),
  ]);
}

/** The shape of the protocol document, 5.3: the parameters stand beside the name. */
function flatServer<Extra extends z.ZodRawShape>(extra: Extra) {
  return z.discriminatedUnion('type', [
    closed({ ...common, ...extra, type: tags.stdio, ...stdioParameters }),
    closed({ ...common, ...extra, type: tags.streamable, ...streamableParameters }),
    closed({ ...common, ...extra, type: tags.sse, ...sseParameters }),
    closed({ ...common, ...extra, type: tags.unix, ...unixParameters }),
  ]);
}

export const a2cNested = nestedServer({});
export const a2cFlat = flatServer({});
export const a2cNestedInMap = nestedServer(nameOptional);
export const a2cFlatInMap = flatServer(nameOptional);

const server = z.union([a2cNested, a2cFlat]);
const serverInMap = z.union([a2cNestedInMap, a2cFlatInMap]);

export const a2cContainer = closed({
  $schema: z.string().optional(),
  servers: z
    .union([z.array(z.unknown()), z.record(z.string(), z.unknown())], {
      error: 'expected a list of servers, or an object with a server under each name',
    })
    .optional(),
  inputs: z.array(z.unknown()).nullish(),
});

export const a2cServersFile = z
  .union([
    server,
    z.array(server),
    closed({
      $schema: z.string().optional(),
      servers: z.union([z.array(server), z.record(z.string(), serverInMap)]).optional(),
      inputs: z.array(inputDefinition).nullish(),
    }),
  ])
  .meta({ title: 'A2C servers: one server, a list, or servers with their inputs' });
