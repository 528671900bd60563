import { deceptiveName } from '@a2c/protocol';
import { z } from 'zod';
import { DURATION_TEXT, toSeconds } from '../model/duration.js';
import { parseSocketUrl } from '../model/socket-url.js';

/**
 * An object that rejects unknown keys. The zod issue does not list the allowed keys, so the message carries them for
 * `check-schema.ts`. Keys of `tolerated` are accepted but not listed.
 */
export function strictObject<Shape extends z.ZodRawShape, Tolerated extends z.ZodRawShape = Record<never, never>>(
  shape: Shape,
  tolerated?: Tolerated,
) {
  const allowed = Object.keys(shape).join(' ');
  return z.strictObject(
    { ...shape, ...(tolerated as Tolerated) },
    {
      error: ({ code }) => (code === 'unrecognized_keys' ? allowed : undefined),
    },
  );
}

/** Text for the operating system, which cannot pass on a NUL character. */
export const plainText = z.string().refine((text) => !text.includes('\0'), 'must not contain a NUL character');

export const notBlank = plainText.regex(/\S/, 'must not be blank');

/** Names are compared as they are, so surrounding blanks would make two names that look the same. */
const UNTRIMMED = /^\S(?:[\s\S]*\S)?$/;
const NAME_ERROR = 'must not be empty, and must not begin or end with a blank or a line break';
/** The commands `start all` and `stop all` use this word for every server. */
export const RESERVED_NAME = 'all';
export const RESERVED_NAME_ERROR = 'a server cannot be called "all", which means every server in commands';

export const serverName = plainText
  .regex(UNTRIMMED, `a server name ${NAME_ERROR}`)
  .refine((name) => name !== RESERVED_NAME, RESERVED_NAME_ERROR)
  .refine((name) => deceptiveName(name) === undefined, {
    error: ({ input }) => `a server name must not ${deceptiveName(String(input))}`,
  });

export const inputId = plainText.regex(/^[^}]*$/, 'must not contain "}"').regex(UNTRIMMED, NAME_ERROR);

/** The variables of a child process. A value may be empty. */
const variableName = notBlank.regex(/^[^=]*$/, 'the name of a variable must not contain "="');
export const environment = z.record(variableName, plainText);
/** As `environment`, with the values that VS Code accepts. */
export const lenientEnvironment = z.record(variableName, z.union([plainText, z.number(), z.null()]));

/** A map that must be empty, because it has no meaning in this place. */
export function emptyMap(message: string) {
  return z
    .record(z.string(), z.unknown())
    .refine((map) => Object.keys(map).length === 0, message)
    .meta({ maxProperties: 0 });
}

/** RFC 9110 token. */
export const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'not a legal HTTP header name');

/**
 * Printable characters of one byte, spaces and tabs. Node rejects anything else, and a line break could add a header.
 */
const LEGAL_HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
export const headerText = z.string().regex(LEGAL_HEADER_VALUE, 'not a legal HTTP header value');
export const headerValue = headerText.regex(/\S/, 'must not be blank');

export const HTTP_URL_ERROR = 'expected an http:// or https:// URL, or http+unix:// with the path of a socket';

/** A URL for HTTP. A URL with placeholders is checked again after they are expanded. */
export const httpUrl = z
  .string()
  .refine((text) => text.includes('${') || isHttpUrl(text), HTTP_URL_ERROR)
  .meta({ pattern: '^https?://|^http\\+unix://%2[Ff]|\\$\\{' });

function isHttpUrl(text: string): boolean {
  if (parseSocketUrl(text)) return true;
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

const DURATION_ERROR = 'expected seconds as a number above zero, or an ISO 8601 duration such as "PT30S"';
/** Seconds as a number, or an ISO 8601 duration. Zero is rejected: it would end every call at once. */
export const duration = z.union(
  [
    z.number().positive(DURATION_ERROR),
    z
      .string()
      .regex(DURATION_TEXT, DURATION_ERROR)
      .refine((text) => !DURATION_TEXT.test(text) || toSeconds(text) > 0, DURATION_ERROR),
  ],
  DURATION_ERROR,
);

/** Also a prefix of tool names: `__` separates the two. */
export const bundleId = z.string().regex(/^(?!.*__)[A-Za-z0-9_-]+$/, 'expected letters, digits, "-" and single "_"');

const toolMetaShape = {
  auto_apply: z.boolean().nullish(),
  alias: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
  ret_object_mapper: z.record(z.string(), z.unknown()).nullish(),
};
/** Additional keys are allowed; the reader rejects those that resemble a known one. */
export const toolMeta = z.looseObject(toolMetaShape);
export const TOOL_META_KEYS: readonly string[] = Object.keys(toolMetaShape);

export const sandboxSettings = z.union(
  [
    z.boolean(),
    strictObject({
      read: z.array(notBlank).nullish(),
      write: z.array(notBlank).nullish(),
      network: z.boolean().nullish(),
    }),
  ],
  { error: 'expected true, false, or an object with the folders in "read" and "write", and "network"' },
);

export const stdoutLog = strictObject({
  path: notBlank.refine((path) => !path.split(/[\\/]/).includes('..'), 'must not contain ".."'),
  max_bytes_per_part: z.int().min(1, 'must be at least 1').nullish(),
  max_parts: z.int().min(0, 'must be 0 (keep all) or more').nullish(),
});
