import { checkElicitedUrl, HubError } from '@a2c/hub';
import { isRecord } from '@a2c/protocol';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { ConnectedClient } from '../serve/connected-client.js';
import type { Toolbox, ToolboxCallOptions } from '../toolbox.js';

type Elicitation = Readonly<Record<string, unknown>>;

/** How often a server may require URLs before a request fails. */
const MAX_ROUNDS = 5;

/** How long a repeated request waits until the server reports that a person has finished. Some never do. */
const COMPLETION_WAIT_MS = 20_000;

/**
 * Runs the work of a request. A server of MCP 2025 may refuse it with the error -32042 until a person has opened some
 * URLs. A direct client of that generation gets the error. Any other client is asked to open them, and the work runs
 * again.
 */
export async function openingUrls<T>(
  toolbox: Toolbox,
  options: ToolboxCallOptions,
  work: (isRepeated: boolean) => Promise<T>,
): Promise<T> {
  try {
    return await work(false);
  } catch (error) {
    return afterOpening(toolbox, options, error, () => work(true));
  }
}

/** The work has failed: if it can go on after URLs are opened, runs it again. Otherwise rejects. */
export async function afterOpening<T>(
  toolbox: Toolbox,
  options: ToolboxCallOptions,
  failure: unknown,
  work: () => Promise<T>,
): Promise<T> {
  let error = failure;
  for (let round = 0; ; round++) {
    const urls = requiredUrls(error);
    const client = options.client as ConnectedClient | undefined;
    if (!urls) throw error;
    for (const { url } of urls) checkElicitedUrl({ mode: 'url', url });
    if (client?.era === 'legacy' && client.isDirect) {
      for (const url of urls) client.asked(url);
      throw error;
    }
    const isAskable = options.onServerRequest && (options.supportsUrls || client?.era === 'modern');
    if (!isAskable || round === MAX_ROUNDS) throw refusal(error as HubError, urls);
    await open(toolbox, options, urls, (error as HubError).server);
    try {
      return await work();
    } catch (next) {
      error = next;
    }
  }
}

function requiredUrls(error: unknown): readonly Elicitation[] | undefined {
  // A call that has begun may have run: it is not sent again.
  if (!(error instanceof HubError) || error.isBegun || error.code !== ProtocolErrorCode.UrlElicitationRequired)
    return undefined;
  const { data } = error;
  if (!isRecord(data) || !Array.isArray(data.elicitations)) return undefined;
  const urls = data.elicitations.filter((each) => isRecord(each) && typeof each.url === 'string');
  return urls.length > 0 ? urls : undefined;
}

/** For clients that cannot be asked: the message has what a person needs. */
function refusal({ message, code }: HubError, urls: readonly Elicitation[]): HubError {
  const listed = urls.map(({ url, message: why }) => `${String(url)}${typeof why === 'string' ? ` (${why})` : ''}`);
  return new HubError('refused', `${message} (code ${code}). Open ${listed.join(' and ')}, then try again.`);
}

async function open(
  toolbox: Toolbox,
  options: ToolboxCallOptions,
  urls: readonly Elicitation[],
  server: string | undefined,
): Promise<void> {
  const open = new Set(urls.map(({ elicitationId }) => elicitationId));
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const stop = toolbox.on('elicitationComplete', ({ server: reporter, params }) => {
    if (reporter !== server) return;
    if (open.delete(params.elicitationId) && open.size === 0) finish();
  });
  try {
    for (const url of urls) {
      const params = { ...url, mode: 'url' };
      const { onServerRequest, signal } = options;
      const answer = await onServerRequest?.({ method: 'elicitation/create', server, params, signal });
      if (answer?.action !== 'accept') throw new HubError('consent-denied', `not opened: ${String(url.url)}`);
    }
    const timer = setTimeout(finish, COMPLETION_WAIT_MS);
    options.signal?.addEventListener('abort', finish, { once: true });
    await finished.finally(() => clearTimeout(timer));
    options.signal?.removeEventListener('abort', finish);
  } finally {
    stop();
  }
}
