import { randomUUID } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import { HttpClient } from './http-client.js';
import { readText } from './response.js';
import { routeTo } from './route.js';

/** One request for this process, as JSON on its standard input. */
export interface DurableRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly addresses: readonly string[] | null;
  /** Where a successful answer is stored, with `tag` to recognise it. */
  readonly file: string;
  readonly tag: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** The result of this process, as JSON on its standard output. */
export type DurableAnswer =
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }
  | { readonly error: string };

/**
 * A process of its own for a request that must not be repeated, such as the redemption of a refresh token: it survives
 * the process that started it, and stores the answer before it reports it.
 */
async function main(): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  // The starting process ended before it had written the request.
  if (!text.endsWith('\n')) return;
  const request = JSON.parse(text) as DurableRequest;
  const answer = await send(request).catch((error: Error): DurableAnswer => ({ error: error.message }));
  if ('status' in answer && answer.status >= 200 && answer.status < 300) await store(request, answer);
  process.stdout.on('error', () => {}); // The starting process ended: the file has the answer.
  process.stdout.write(JSON.stringify(answer));
}

async function send(request: DurableRequest): Promise<DurableAnswer> {
  const { url, timeoutMs, maxBytes, ...rest } = request;
  const http = new HttpClient(timeoutMs);
  const timer = setTimeout(() => http.destroy(), 2 * timeoutMs);
  try {
    const response = await http.send(routeTo(url), { ...rest, signal: undefined, headMs: timeoutMs });
    const body = await readText(response, maxBytes);
    if (body === undefined) throw new Error('the answer is too long');
    const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
    return { status: response.statusCode ?? 500, headers, body };
  } finally {
    clearTimeout(timer);
    http.destroy();
  }
}

async function store({ file, tag }: DurableRequest, answer: DurableAnswer): Promise<void> {
  const temporary = `${file}.${randomUUID()}`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify({ tag, ...answer }));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}

await main();
