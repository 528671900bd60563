import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { TrustError, type TrustGuard } from '@a2c/config';
import type { LoginHttp } from '@a2c/login';
import type { DurableAnswer, DurableRequest } from './durable-request-process.js';
import { HttpClient } from './http-client.js';
import { decompressed, readText, toResponse } from './response.js';
import { routeTo } from './route.js';

const PROCESS_FILE = fileURLToPath(
  new URL('../../../dist/transports/http/durable-request-process.js', import.meta.url),
);
const TIMEOUT_MS = 30_000;
/** Metadata and tokens are small. */
const MAX_BYTES = 1024 * 1024;

/**
 * Sends login requests of one server. The trust guard approves every URL and page, because the server and its
 * authorization server name them. Errors are `TypeError`s, as from `fetch`: the SDK takes others for a missing
 * document.
 */
export function loginHttp({ guard, server, url }: { guard: TrustGuard; server: string; url: string }): LoginHttp {
  const approve = async (target: string | URL): Promise<readonly string[] | null> => {
    try {
      return (await guard.approveUrl(String(target), server, url)).addresses;
    } catch (error) {
      throw error instanceof TrustError ? new TypeError(error.message, { cause: error }) : error;
    }
  };
  return {
    approve: async (target) => void (await approve(target)),
    fetch: async (target, init) => {
      const addresses = await approve(target);
      const http = new HttpClient(TIMEOUT_MS);
      try {
        const answer = await http.send(routeTo(String(target)), {
          ...toPlainRequest(init),
          addresses,
          signal: AbortSignal.timeout(TIMEOUT_MS),
          headMs: TIMEOUT_MS,
        });
        const body = await readText(decompressed(answer), MAX_BYTES);
        if (body === undefined) throw new Error(`the answer of ${new URL(target).host} is too long`);
        return toResponse(answer, body);
      } catch (error) {
        throw new TypeError((error as Error).message, { cause: error });
      } finally {
        http.destroy();
      }
    },
    fetchDurably: async (target, init, { file, tag, onProcess }) => {
      const addresses = await approve(target);
      const request = { ...toPlainRequest(init), url: String(target), addresses, file, tag };
      return runDurably({ ...request, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }, onProcess);
    },
  };
}

async function runDurably(request: DurableRequest, onProcess: (pid: number) => Promise<void>): Promise<Response> {
  // Its own process group: a signal to the group of this process does not reach it.
  const child = spawn(process.execPath, [PROCESS_FILE], {
    detached: true,
    windowsHide: true,
    env: environment(),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  await once(child, 'spawn');
  await onProcess(child.pid ?? 0);
  child.stdin.on('error', () => {}); // The missing output reports it.
  child.stdin.end(`${JSON.stringify(request)}\n`);
  const output = await text(child.stdout);
  if (output === '') throw new TypeError('the process for the token request ended without an answer');
  const answer = JSON.parse(output) as DurableAnswer;
  if ('error' in answer) throw new TypeError(answer.error);
  return new Response(answer.body, { status: answer.status, headers: answer.headers });
}

/** Only what HTTP needs: certificates and proxies. */
function environment(): NodeJS.ProcessEnv {
  const names = /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|(?:HTTPS?|NO|ALL)_PROXY|SYSTEMROOT)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => names.test(name)));
}

function toPlainRequest({ method = 'GET', headers, body }: RequestInit = {}) {
  return {
    method,
    headers: { ...Object.fromEntries(new Headers(headers ?? {})), 'accept-encoding': 'identity' },
    body: body == null ? undefined : String(body),
  };
}
