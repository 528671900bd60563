import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import { proxyAgent } from '@a2c/hub';
import { UsageError } from '../exit-codes.js';
import { explainConnection } from '../explain-error.js';
import { serverUrl } from '../office-options.js';
import { readCertificate } from '../options.js';
import type { Finding } from './findings.js';

const TIMEOUT_MS = 5_000;

/** Checks that the signalling server accepts Agents and Computers. */
export async function checkSignallingServer(url: string, tlsCa?: string): Promise<Finding> {
  const what = `signalling server ${url}`;
  const problem = problemOf(url);
  if (problem !== undefined) {
    const remedy = 'give --url a value such as http://127.0.0.1:7000';
    return { ok: false, what, detail: problem, remedy, isUsageError: true };
  }
  const ca = tlsCa === undefined ? undefined : readCertificate('--tls-ca', tlsCa);
  const started = performance.now();
  try {
    const status = await statusOf(new URL('/readyz', url), ca);
    const detail = `ready, ${Math.round(performance.now() - started)} ms`;
    if (status === 200) return { ok: true, what, detail };
    return { ok: false, what, detail: `answers with HTTP ${status}`, remedy: 'read its log; it may be draining' };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const { reason, remedy = 'correct --url' } = explainConnection(code, message || String(code));
    return { ok: false, what, detail: reason, remedy };
  }
}

/** The status of a GET request, through the proxy of the environment. */
function statusOf(url: URL, ca: string | undefined): Promise<number | undefined> {
  const agent = proxyAgent(url.origin, TIMEOUT_MS) ?? false;
  const get = url.protocol === 'https:' ? httpsGet : httpGet;
  return new Promise((resolve, reject) => {
    get(url, { agent, ...(ca !== undefined && { ca }), signal: AbortSignal.timeout(TIMEOUT_MS) }, (response) => {
      response.destroy();
      resolve(response.statusCode);
    }).once('error', reject);
  });
}

function problemOf(url: string): string | undefined {
  try {
    serverUrl(url);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return /^https?:/.test(url) && URL.canParse(url) ? undefined : 'not an http or https URL';
}
