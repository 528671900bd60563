import { z } from 'zod';
import { CONNECTION_MODES, PIN_CHOICES } from '../model/server-config.js';
import {
  duration,
  environment,
  headerName,
  headerText,
  headerValue,
  httpUrl,
  lenientEnvironment,
  notBlank,
  plainText,
  sandboxSettings,
  stdoutLog,
} from './field-schemas.js';

/**
 * One server in the file of another tool. Unknown keys are allowed, because tools add keys; the reader warns about
 * them. A known key with a wrong type is an error: a guess could start the wrong program.
 */
const shape = {
  type: z.string().nullish(),
  transport: z.string().nullish(),
  command: z
    .union([notBlank, z.array(notBlank)], { error: 'expected a program, or a list of program and arguments' })
    .nullish(),
  args: z.array(plainText).nullish(),
  argv: z.array(notBlank).nullish(),
  env: environment.optional(),
  environment: environment.optional(),
  envFile: notBlank.nullish(),
  inherit_env: z.boolean().nullish(),
  cwd: notBlank.nullish(),
  stdout_log: stdoutLog.nullish(),
  sandbox: sandboxSettings.nullish(),
  unix_path: notBlank.nullish(),
  url: httpUrl.nullish(),
  sse_url: httpUrl.nullish(),
  http_url: httpUrl.nullish(),
  headers: z.record(headerName, headerValue).optional(),
  http_headers: z.record(headerName, headerValue).optional(),
  env_http_headers: z.record(headerName, notBlank).optional(),
  bearer_token_env_var: notBlank.nullish(),
  oauth: z.union([z.looseObject({}), z.boolean()]).nullish(),
  auth: z.looseObject({}).nullish(),
  timeout: duration.nullish(),
  start_timeout: duration.nullish(),
  connections: z.enum(CONNECTION_MODES).nullish(),
  pins: z.enum(PIN_CHOICES).nullish(),
  disabled: z.boolean().nullish(),
  enabled: z.boolean().nullish(),
  description: z.string().nullish(),
};

export const serverEntry = z.looseObject(shape);
export type ServerEntry = z.infer<z.ZodObject<typeof shape>>;

/**
 * VS Code and MCPX allow empty headers; VS Code also allows numbers and null in the environment. A `sandbox` of VS Code
 * has another meaning.
 */
export const lenientServerEntry = z.looseObject({
  ...shape,
  env: lenientEnvironment.nullish(),
  sandbox: z.unknown().optional(),
  headers: z.record(headerName, headerText).nullish(),
});

export const ENTRY_KEYS: readonly string[] = Object.keys(shape);
export const LENIENT_ENTRY_KEYS: readonly string[] = ENTRY_KEYS.filter((key) => key !== 'sandbox');

const STDIO_FIELDS = ['command', 'args', 'argv', 'inherit_env', 'cwd', 'envFile', 'stdout_log', 'sandbox'];
const HTTP_FIELDS = ['url', 'sse_url', 'http_url', 'bearer_token_env_var', 'oauth', 'auth'];

/** The fields that belong to one family of transports. An empty map is ignored. */
export const ENTRY_FIELD_OWNERS = {
  stdio: { fields: STDIO_FIELDS, maps: ['env', 'environment'] },
  unix: { fields: ['unix_path'], maps: [] },
  http: { fields: HTTP_FIELDS, maps: ['headers', 'http_headers', 'env_http_headers'] },
} as const;
