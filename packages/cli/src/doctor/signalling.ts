import { UsageError } from '../exit-codes.js';
import { serverUrl } from '../office-options.js';
import { a2c } from '../own-command.js';
import type { Finding } from './findings.js';

const ANSWER_MS = 5_000;

/** Whether the signalling server takes Agents and Computers. */
export async function checkSignalling(url: string): Promise<Finding> {
  const what = `signalling server ${url}`;
  const wrong = faultOf(url);
  if (wrong !== undefined) {
    const remedy = 'give --url something like http://127.0.0.1:7000';
    return { ok: false, what, detail: wrong, remedy, isOurFault: true };
  }
  const began = performance.now();
  try {
    const { status } = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(ANSWER_MS) });
    const detail = `ready, ${Math.round(performance.now() - began)} ms`;
    if (status === 200) return { ok: true, what, detail };
    return { ok: false, what, detail: `answers with HTTP ${status}`, remedy: 'see its log; it may be draining' };
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string } };
    const detail = cause?.code ?? message;
    return { ok: false, what, detail, remedy: remedyFor(detail, url) };
  }
}

function faultOf(url: string): string | undefined {
  try {
    serverUrl(url);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return /^https?:/.test(url) && URL.canParse(url) ? undefined : 'this is no http or https URL';
}

/** What Node's errors mean to somebody who typed an address. */
function remedyFor(code: string, url: string): string {
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return `it speaks plain HTTP: use ${url.replace(/^https/, 'http')}`;
  if (code === 'ENOTFOUND') return 'no such host; correct --url';
  if (code === 'EAI_AGAIN') return 'no such host, or no network here; correct --url';
  return `start it (${a2c('server')}, ${a2c('up')}), or correct --url`;
}
