import { NoAnswer, SMCPError } from '@a2c/agent';
import { HubError, type HubErrorKind } from '@a2c/hub';
import { type ArgumentProblem, type CallToolResult, executionOf, isRecord, readCallFailure } from '@a2c/protocol';

interface OfficeCall {
  readonly computer: string;
  readonly tool: string;
  /** The time the Computer had, in seconds. */
  readonly seconds: number;
}

/**
 * Translates an error of the office for the proxy. This is the only place where an `SMCPError` becomes a `HubError`.
 */
export function hubErrorFrom(error: unknown, call: OfficeCall): unknown {
  if (!(error instanceof SMCPError)) return error;
  const unanswered = consentError(error, call);
  if (unanswered) return unanswered;
  const kind = kindOf(error);
  const execution = executionOf(error);
  // While a call is pending, its Computer may leave, or the Agent may lose its right or its seat.
  if (execution !== 'not-run' && !AFTER_SENDING.has(kind)) {
    const hasRun = execution === 'ran' ? 'has run' : 'may have run';
    const message = `"${call.tool}" of Computer "${call.computer}" ${hasRun}: ${error.message}`;
    return new HubError('connection-lost', message, { tool: call.tool });
  }
  return new HubError(kind, messageFor(error, call), { tool: call.tool, problems: problemsIn(error) });
}

/** What `kindOf` returns for a call that may have run. The other kinds say that it has not. */
const AFTER_SENDING: ReadonlySet<HubErrorKind> = new Set(['timeout', 'upstream']);

/**
 * Why a Computer did not get the consent of its user; undefined for other results and errors. The texts of Computers
 * are in Chinese and ask to try again.
 */
function consentError(
  failed: CallToolResult | SMCPError,
  { computer, tool }: Pick<OfficeCall, 'computer' | 'tool'>,
): HubError | undefined {
  if (!(failed instanceof Error) && failed.isError !== true) return undefined;
  const reason = readCallFailure(failed)?.reason ?? '';
  const [kind, why] = CONSENT_REASONS[reason] ?? [];
  return kind && new HubError(kind, `"${tool}" of Computer "${computer}" was not run: ${why}`, { tool });
}

/** What a failed result says in English, if the text of its Computer is in Chinese. */
export function failureText(failed: CallToolResult, call: Pick<OfficeCall, 'computer' | 'tool'>): string | undefined {
  if (failed.isError !== true) return undefined;
  return consentError(failed, call)?.message ?? readCallFailure(failed)?.message;
}

const CONSENT_REASONS: Readonly<Record<string, readonly [HubErrorKind, string]>> = {
  consent_denied: ['consent-denied', 'its user denied the call. Do not repeat it unless you are asked to.'],
  consent_timeout: ['consent-timeout', 'its user did not answer the question for consent in time.'],
  consent_disabled: ['consent-disabled', 'it needs consent, and the Computer denies such calls without asking.'],
  consent_unavailable: ['consent-unavailable', 'it needs consent, and the Computer cannot ask for it.'],
  consent_failed: ['consent-failed', 'its user could not be asked for consent.'],
};

function kindOf({ kind, code, details }: SMCPError): HubErrorKind {
  if (kind === 'ToolNotFound') return 'unknown-tool';
  if (kind === 'RoomFull' || kind === 'NotInRoom') return 'not-connected';
  // The Computer is missing, not the tool.
  if (kind === 'NotFound' && details.computer !== undefined) return 'not-connected';
  if (code === 400 && Array.isArray(details.problems)) return 'invalid-arguments';
  return KINDS[code] ?? 'upstream';
}

const KINDS: Readonly<Record<number, HubErrorKind>> = {
  401: 'refused',
  403: 'refused',
  408: 'timeout',
  429: 'overloaded',
  503: 'not-connected',
};

function messageFor(error: SMCPError, { computer, tool, seconds }: OfficeCall): string {
  const { code, message, details } = error;
  switch (code) {
    case 401:
    case 403:
      return `"${tool}" of Computer "${computer}" was refused: ${message}`;
    case 408: {
      const late = `"${tool}" of Computer "${computer}" did not end within ${seconds} s`;
      // A Server that does not answer may not have received the cancellation.
      if (error.cause instanceof NoAnswer)
        return `${late}. It may have run, and may not have been cancelled: ${message}`;
      return `${late} and was cancelled: ${message}`;
    }
    case 429:
      return typeof details.retry_after === 'number'
        ? `${message} (after ${Math.ceil(details.retry_after)} s)`
        : message;
    default:
      return message;
  }
}

function problemsIn({ details }: SMCPError): readonly ArgumentProblem[] {
  if (!Array.isArray(details.problems)) return [];
  return details.problems
    .filter(isRecord)
    .map(({ path, message }) => ({ path: String(path ?? ''), message: String(message) }));
}
