import { z } from 'zod';
import { duration, headerName, headerText, headerValue, httpUrl, notBlank, stdoutLog } from './vocabulary.js';

/**
 * One server in another tool's file. Open: tools add keys all the time, and those we do not know are told as warnings.
 * Known keys of a wrong type are errors, because guessing what was meant could start the wrong thing.
 */
const shape = {
  type: z.string().nullish(),
  transport: z.string().nullish(),
  command: z
    .union([notBlank, z.array(notBlank)], { error: 'expected a program, or a list of program and arguments' })
    .nullish(),
  args: z.array(z.string()).nullish(),
  argv: z.array(notBlank).nullish(),
  env: z.record(notBlank, notBlank).optional(),
  environment: z.record(notBlank, notBlank).optional(),
  envFile: notBlank.nullish(),
  inherit_env: z.boolean().nullish(),
  cwd: notBlank.nullish(),
  stdout_log: stdoutLog.nullish(),
  unix_path: notBlank.nullish(),
  url: httpUrl.nullish(),
  sse_url: httpUrl.nullish(),
  http_url: httpUrl.nullish(),
  headers: z.record(headerName, headerValue).optional(),
  http_headers: z.record(headerName, headerValue).optional(),
  env_http_headers: z.record(headerName, notBlank).optional(),
  bearer_token_env_var: notBlank.nullish(),
  timeout: duration.nullish(),
  disabled: z.boolean().nullish(),
  enabled: z.boolean().nullish(),
  description: z.string().nullish(),
};

export const foreignEntry = z.looseObject(shape);
export type ForeignEntry = z.infer<z.ZodObject<typeof shape>>;

/** VS Code and MCPX write empty values, and VS Code numbers and null, where the others do not. */
const anyEnv = z.record(notBlank, z.union([z.string(), z.number(), z.null()])).nullish();
export const lenientEntry = z.looseObject({
  ...shape,
  env: anyEnv,
  headers: z.record(headerName, headerText).nullish(),
});

export const FOREIGN_KEYS: readonly string[] = Object.keys(shape);

const STDIO_FIELDS = ['command', 'args', 'argv', 'inherit_env', 'cwd', 'envFile', 'stdout_log'];
const HTTP_FIELDS = ['url', 'sse_url', 'http_url', 'bearer_token_env_var'];

/** Fields that only one family of transports has; maps count once they hold something. */
export const FOREIGN_FIELD_OWNERS = {
  stdio: { fields: STDIO_FIELDS, maps: ['env', 'environment'] },
  unix: { fields: ['unix_path'], maps: [] },
  http: { fields: HTTP_FIELDS, maps: ['headers', 'http_headers', 'env_http_headers'] },
} as const;
