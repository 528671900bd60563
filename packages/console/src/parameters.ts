import type { IncomingMessage } from 'node:http';
import { isRecord, jsonTextProblem, SMCPError } from '@a2c/protocol';

/** The largest body of a request with valid credentials. */
const MAX_BYTES = 8 * 2 ** 20;

/** Parsing and checking a larger body would block the event loop for too long. */
const BODY_LIMITS = { values: 20_000, depth: 100 };

/** A schema of zod. */
export interface ParameterSchema {
  safeParse(value: unknown):
    | { readonly success: true; readonly data: unknown }
    | {
        readonly success: false;
        readonly error: {
          readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
        };
      };
}

/**
 * Reads the parameters of a request: the query of a GET, the JSON body of a POST.
 *
 * @throws SMCPError 400 that names what is wrong
 */
export async function readParameters(request: IncomingMessage, schema: ParameterSchema): Promise<object> {
  const given = request.method === 'POST' ? parse(await readBody(request, MAX_BYTES)) : queryOf(request);
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data as object;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.map(String).join('.') || 'body'}: ${message}`,
  );
  throw new SMCPError('BadRequest', problems.join('; '));
}

/** The query of a request. */
export function queryOf({ url = '' }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(url.split('?')[1] ?? ''));
}

/** @throws SMCPError 400 if the body is larger than `limit` bytes, nests too deeply or has too many values */
export async function readBody(request: IncomingMessage, limit: number): Promise<string> {
  const tooLarge = () => new SMCPError('BadRequest', `the body is larger than ${limit} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > limit) throw tooLarge();
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const problem = jsonTextProblem(text, BODY_LIMITS);
  if (problem !== undefined) throw new SMCPError('BadRequest', `the body ${problem}`);
  return text;
}

function parse(text: string): unknown {
  try {
    const value = JSON.parse(text === '' ? '{}' : text) as unknown;
    if (isRecord(value)) return value;
  } catch {
    // Reported below.
  }
  throw new SMCPError('BadRequest', 'the body must be a JSON object');
}
