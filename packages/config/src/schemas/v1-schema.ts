import { z } from 'zod';
import {
  emptyMap,
  environment,
  headerName,
  headerValue,
  httpUrl,
  notBlank,
  RESERVED_NAME,
  RESERVED_NAME_ERROR,
  stdoutLog,
  strictObject,
} from './field-schemas.js';
import { oauthSettings } from './oauth-schema.js';

/**
 * `mcp.json` v1. null means absent for single values and is an error for maps: `"env": null` could be misread as an
 * empty environment. Each transport has its own strict object, in which a field of another transport is an unknown key.
 */
const headers = z.record(headerName, headerValue);

const stdioOnly = emptyMap('"env" belongs to transport stdio');
const httpOnly = emptyMap('headers belong to transport streamable_http');

const stdioFields = {
  argv: z.array(notBlank).min(1, 'must name a program'),
  inherit_env: z.boolean().nullish(),
  env: environment.optional(),
  stdout_log: stdoutLog.nullish(),
};
const unixFields = { unix_path: notBlank };
const httpFields = {
  url: httpUrl.nullish(),
  sse_url: httpUrl.nullish(),
  http_url: httpUrl.nullish(),
  http_headers: headers.optional(),
  headers: headers.optional(),
  bearer_token_env_var: notBlank.nullish(),
  env_http_headers: z.record(headerName, notBlank).optional(),
  oauth: oauthSettings.nullish(),
};
const emptyHeaders = {
  http_headers: httpOnly.optional(),
  headers: httpOnly.optional(),
  env_http_headers: httpOnly.optional(),
};
const emptyEnv = { env: stdioOnly.optional() };

const stdio = strictObject({ transport: z.literal('stdio'), ...stdioFields }, emptyHeaders);
const unix = strictObject({ transport: z.literal('unix'), ...unixFields }, { ...emptyEnv, ...emptyHeaders });
const streamableHttp = strictObject({ transport: z.literal('streamable_http'), ...httpFields }, emptyEnv)
  // For editors only: the reader checks the rules between fields itself, because it can name the exact path.
  .meta({ oneOf: [{ required: ['url'] }, { required: ['sse_url', 'http_url'] }] });

export const v1Server = z.discriminatedUnion('transport', [stdio, unix, streamableHttp]);
export type V1Server = z.infer<typeof v1Server>;

/** The transport that each field belongs to, for messages about misplaced fields. */
export const V1_FIELD_OWNER: Readonly<Record<string, string>> = {
  ...ownedBy('stdio', stdioFields),
  ...ownedBy('unix', unixFields),
  ...ownedBy('streamable_http', httpFields),
};

function ownedBy(owner: string, fields: object): Record<string, string> {
  return Object.fromEntries(Object.keys(fields).map((field) => [field, owner]));
}

const portableName = z
  .string()
  .regex(/^[A-Za-z0-9_-]+$/, 'a server name may use only letters, digits, "_" and "-"')
  .refine((name) => name !== RESERVED_NAME, RESERVED_NAME_ERROR);

const client = strictObject({
  protocol_version: notBlank.nullish(),
  capabilities: z.record(z.string(), z.json()).nullish(),
  roots: z.array(strictObject({ uri: notBlank, name: notBlank.nullish() })).nullish(),
});

export const v1File = strictObject({
  $schema: z.string().optional(),
  version: z.literal(1, 'only version 1 is supported'),
  client: client.nullish(),
  servers: z.record(portableName, v1Server),
}).meta({ title: 'mcp.json v1' });
export type V1File = z.infer<typeof v1File>;
