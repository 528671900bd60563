import type { Finding } from './findings.js';

const ANSWER_MS = 5_000;

/** Whether the signalling server takes Agents and Computers. */
export async function checkSignalling(url: string): Promise<Finding> {
  const what = `signalling server ${url}`;
  if (!/^https?:/.test(url) || !URL.canParse(url)) {
    const remedy = 'give --url something like http://127.0.0.1:7000';
    return { ok: false, what, detail: 'this is no http or https URL', remedy, isOurFault: true };
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
    return { ok: false, what, detail, remedy: 'start it (`a2c server`, `a2c up`), or correct --url' };
  }
}
