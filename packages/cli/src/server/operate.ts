import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { readErrorAnswer, SMCPError } from '@a2c/protocol';
import { OPERATOR_PATHS, type ServerSession } from '@a2c/server';
import { table } from '../computer/shell/table.js';
import { stdoutView, type View } from '../computer/shell/view.js';
import { withRemedy } from '../explain-error.js';
import { readCertificate } from '../options.js';
import { print, printColoured, printError, printJson, printRow } from '../output.js';
import { a2c } from '../pasteable-command.js';

export interface OperateOptions {
  readonly url: string;
  readonly apiKey?: string;
  readonly tlsCa?: string;
  readonly json?: true;
}

const TIMEOUT_MS = 10_000;

/** `a2c server sessions`: lists the sessions of the node that answers. */
export async function sessions(options: OperateOptions): Promise<void> {
  const answer = (await send('GET', OPERATOR_PATHS.sessions, options)) as { readonly sessions: ServerSession[] };
  if (options.json) return printJson(answer.sessions);
  if (answer.sessions.length === 0) return printError('no sessions');
  if (process.stdout.isTTY) printColoured(sessionsTable(answer.sessions, stdoutView('en')));
  else for (const row of [HEADINGS, ...answer.sessions.map(cellsOf)]) printRow(row);
}

/** The table for a terminal. */
export function sessionsTable(listed: readonly ServerSession[], view: View): string {
  return table(HEADINGS, listed.map(cellsOf), view);
}

function cellsOf({ sid, subject, office, role, name, address, since }: ServerSession): string[] {
  return [sid, subject, office ?? '-', role ?? '-', name ?? '-', address, since];
}

const HEADINGS = ['session', 'subject', 'office', 'role', 'name', 'address', 'since'];

/** `a2c server kick`: ends a session. */
export async function kick(session: string, options: OperateOptions): Promise<void> {
  const answer = await send('DELETE', `${OPERATOR_PATHS.sessions}/${encodeURIComponent(session)}`, options);
  if (options.json) printJson(answer);
  else print(`kicked ${session}`);
}

/** @throws SMCPError with the reason that the server gives, or 503 if it cannot be reached */
async function send(method: string, path: string, { url, apiKey, tlsCa }: OperateOptions): Promise<unknown> {
  const target = new URL(path, url);
  const { status, body } = await exchange(method, target, {
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    ...(tlsCa !== undefined && { ca: readCertificate('--tls-ca', tlsCa) }),
  });
  const answer = parseAnswer(body);
  if (status === 200 && answer !== undefined) return answer;
  throw explain(
    readErrorAnswer(answer) ?? new SMCPError('Unavailable', `${target.origin} answers with HTTP ${status}`),
  );
}

interface ExchangeOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly ca?: string;
}

/** One request. Node's `fetch` cannot be given a certificate authority. */
function exchange(method: string, url: URL, options: ExchangeOptions): Promise<{ status: number; body: string }> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const { message, code } = error;
      const details = code === undefined ? {} : { code };
      const failed = new SMCPError('Unavailable', `cannot reach ${url.origin}: ${message}`, { details, cause: error });
      reject(withRemedy(failed));
    };
    request(url, { method, ...options, signal: AbortSignal.timeout(TIMEOUT_MS) }, (response: IncomingMessage) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), fail);
    })
      .on('error', fail)
      .end();
  });
}

function parseAnswer(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined; // the page of another HTTP server
  }
}

/** Adds the remedy. */
function explain(error: SMCPError): SMCPError {
  if (error.code !== 401 && error.code !== 403) return error;
  const remedy = `pass a key with the operator right (A2C_API_KEY); \`${a2c('key new NAME --operator')}\` creates one`;
  return new SMCPError(error.kind, `${error.message}; ${remedy}`);
}
