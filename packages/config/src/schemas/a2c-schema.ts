import { z } from 'zod';
import { CONNECTION_MODES, ENCODING_ERROR_HANDLERS, PIN_CHOICES } from '../model/server-config.js';
import {
  bundleId,
  duration,
  environment,
  headerName,
  headerText,
  httpUrl,
  notBlank,
  plainText,
  sandboxSettings,
  serverName,
  stdoutLog,
  strictObject,
  toolMeta,
} from './field-schemas.js';
import { inputDefinition } from './input-schema.js';
import { oauthSettings } from './oauth-schema.js';

/** The transports, each with every spelling of `type` that other implementations write. */
export const A2C_TYPES = {
  stdio: ['stdio', 'Stdio', 'STDIO'],
  streamable_http: ['streamable', 'http', 'Http', 'HTTP', 'streamable_http', 'streamable-http', 'streamableHttp'],
  sse: ['sse', 'Sse', 'SSE'],
  unix: ['unix'],
} as const;

/** The time to compile a script grows with the square of its length. */
export const MAX_VRL_CHARACTERS = 16_384;

const anyHeaderValue = z.union([headerText, z.number(), z.boolean(), z.null()], {
  error: 'expected a legal HTTP header value: text, a number or a boolean',
});
const headers = z.record(headerName, anyHeaderValue).nullish();
/** Fields of `mcp.json` v1 that the A2C documents do not define. With them this format can express the whole model. */
const headerVariables = {
  bearer_token_env_var: notBlank.nullish(),
  env_http_headers: z.record(headerName, notBlank).nullish(),
  oauth: oauthSettings.nullish(),
};

const stdioParameters = {
  command: notBlank,
  args: z.array(plainText).nullish(),
  env: environment.nullish(),
  cwd: notBlank.nullish(),
  encoding: notBlank.nullish(),
  encoding_error_handler: z.enum(ENCODING_ERROR_HANDLERS).nullish(),
  envFile: notBlank.nullish(),
  inherit_env: z.boolean().nullish(),
  stdout_log: stdoutLog.nullish(),
  sandbox: sandboxSettings.nullish(),
};
const streamableParameters = {
  url: httpUrl,
  headers,
  timeout: duration.nullish(),
  sse_read_timeout: duration.nullish(),
  terminate_on_close: z.boolean().nullish(),
  sse_url: httpUrl.nullish(),
  ...headerVariables,
};
const sseParameters = {
  url: httpUrl,
  headers,
  timeout: duration.nullish(),
  sse_read_timeout: duration.nullish(),
  ...headerVariables,
};
const unixParameters = { unix_path: notBlank };

const common = {
  $schema: z.string().optional(),
  name: serverName,
  disabled: z.boolean().nullish(),
  forbidden_tools: z.array(z.string()).nullish(),
  tool_meta: z.record(z.string(), toolMeta).nullish(),
  default_tool_meta: toolMeta.nullish(),
  vrl: z
    .string()
    .max(MAX_VRL_CHARACTERS, {
      error: `at most ${MAX_VRL_CHARACTERS} characters, because a long script takes seconds to compile`,
    })
    .nullish(),
  start_timeout: duration.nullish(),
  bundle_id: bundleId.nullish(),
  /** The spelling of plugin files. */
  bundleId: bundleId.nullish(),
  connections: z.enum(CONNECTION_MODES).nullish(),
  pins: z.enum(PIN_CHOICES).nullish(),
};
/** In a map of servers the key is the name; `name` may repeat it. */
const nameOptional = { name: serverName.optional() };

const tags = {
  stdio: z.enum(A2C_TYPES.stdio),
  streamable: z.enum(A2C_TYPES.streamable_http),
  sse: z.enum(A2C_TYPES.sse),
  unix: z.enum(A2C_TYPES.unix),
};

function nestedServer<Extra extends z.ZodRawShape>(extra: Extra) {
  return z.discriminatedUnion('type', [
    strictObject({ ...common, ...extra, type: tags.stdio, server_parameters: strictObject(stdioParameters) }),
    strictObject({ ...common, ...extra, type: tags.streamable, server_parameters: strictObject(streamableParameters) }),
    strictObject({ ...common, ...extra, type: tags.sse, server_parameters: strictObject(sseParameters) }),
    strictObject({ ...common, ...extra, type: tags.unix, server_parameters: strictObject(unixParameters) }),
  ]);
}

/** The shape of section 5.3 of the protocol document: the parameters are fields of the server itself. */
function flatServer<Extra extends z.ZodRawShape>(extra: Extra) {
  return z.discriminatedUnion('type', [
    strictObject({ ...common, ...extra, type: tags.stdio, ...stdioParameters }),
    strictObject({ ...common, ...extra, type: tags.streamable, ...streamableParameters }),
    strictObject({ ...common, ...extra, type: tags.sse, ...sseParameters }),
    strictObject({ ...common, ...extra, type: tags.unix, ...unixParameters }),
  ]);
}

export const a2cNested = nestedServer({});
export const a2cFlat = flatServer({});
export const a2cNestedInMap = nestedServer(nameOptional);
export const a2cFlatInMap = flatServer(nameOptional);

const server = z.union([a2cNested, a2cFlat]);
const serverInMap = z.union([a2cNestedInMap, a2cFlatInMap]);

export const a2cContainer = strictObject({
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
    strictObject({
      $schema: z.string().optional(),
      servers: z.union([z.array(server), z.record(serverName, serverInMap)]).optional(),
      inputs: z.array(inputDefinition).nullish(),
    }),
  ])
  .meta({ title: 'A2C servers: one server, a list, or servers with their inputs' });
