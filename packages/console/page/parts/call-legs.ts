import type { CallRow } from '../state/store.js';
import { type TextKey, t } from '../state/texts.js';

/** One part of the way of a call. */
export interface Leg {
  readonly kind: 'server' | 'way' | 'consent' | 'computer' | 'run';
  readonly label: string;
  readonly ms: number;
  /** Half of a measured round trip, instead of the difference of two times. */
  readonly isEstimate?: boolean;
}

export type CallState = 'running' | 'asking' | 'ok' | 'failed' | 'denied' | 'cancelled';

const DENIED = /^(consent-)?denied$/;

/** The kind of the failure at the Computer, and the verdict of the Server. */
function failureKinds({ relayed, executed }: CallRow): string[] {
  return [executed?.errorKind, relayed?.verdict].filter((kind) => kind !== undefined);
}

export function stateOf(row: CallRow): CallState {
  const { relayed, executed } = row;
  const isEnded = relayed ? relayed.verdict !== undefined : executed?.answeredAt !== undefined;
  if (!isEnded) return executed?.askedAt !== undefined && executed.decidedAt === undefined ? 'asking' : 'running';
  const isGood = relayed ? relayed.verdict === 'ok' : executed?.success === true;
  if (isGood) return 'ok';
  const kinds = failureKinds(row);
  if (kinds.some((kind) => DENIED.test(kind))) return 'denied';
  return kinds.includes('cancelled') ? 'cancelled' : 'failed';
}

/** The end of a call, or now. */
export function endOf({ relayed, executed }: CallRow): number {
  return (relayed ? relayed.answeredAt : executed?.answeredAt) ?? Date.now();
}

export function durationOf(row: CallRow): number {
  return Math.max(0, endOf(row) - row.startedAt) + (row.relayed?.agentRoundTripMs ?? 0);
}

/** Whether the call was sent to its MCP server; what the Server alone knows may have been. */
export function wasRun({ executed }: CallRow): boolean {
  return executed === undefined || executed.sentAt !== undefined;
}

/** The parts of a call in order, as far as they are known. Each time is the end of one part. */
export function legsOf(row: CallRow): Leg[] {
  const { relayed, executed } = row;
  const steps: (readonly [Leg['kind'], string, number | undefined])[] = [];
  if (relayed) steps.push(['server', t('legServer'), relayed.relayedAt]);
  if (executed) {
    if (relayed) steps.push(['way', t('legOut'), executed.receivedAt]);
    steps.push(['computer', t('legPrepare'), executed.askedAt ?? executed.sentAt]);
    if (executed.askedAt !== undefined) steps.push(['consent', t('legConsent'), executed.decidedAt]);
    const { sentAt, returnedAt, answeredAt } = executed;
    // A call that was cancelled or timed out ended while the MCP server had it.
    const isCutOff = sentAt !== undefined && returnedAt === undefined;
    steps.push(['run', t('legRun'), isCutOff ? answeredAt : returnedAt]);
    if (!isCutOff) steps.push(['computer', t('legPrepare'), answeredAt]);
  }
  if (relayed)
    steps.push(executed ? ['way', t('legBack'), relayed.answeredAt] : ['run', t('legComputer'), relayed.answeredAt]);
  const legs: Leg[] = [];
  let from = row.startedAt;
  for (const [kind, label, to] of steps) {
    if (to === undefined) continue;
    legs.push({ kind, label, ms: Math.max(0, to - from) });
    from = Math.max(from, to);
  }
  const state = stateOf(row);
  if (state === 'asking') legs.push({ kind: 'consent', label: t('legConsent'), ms: Math.max(0, Date.now() - from) });
  if (state === 'running' && executed?.sentAt !== undefined && executed.returnedAt === undefined) {
    legs.push({ kind: 'run', label: t('legRun'), ms: Math.max(0, Date.now() - from) });
  }
  const roundTrip = relayed?.agentRoundTripMs;
  if (roundTrip === undefined) return legs;
  const way = (label: string): Leg => ({ kind: 'way', label, ms: roundTrip / 2, isEstimate: true });
  const isEnded = relayed?.answeredAt !== undefined;
  return [way(t('legFromAgent')), ...legs, ...(isEnded ? [way(t('legToAgent'))] : [])];
}

/** Who called: the Agent, this page, or another program on this machine. */
export function callerOf({ relayed, executed }: CallRow): string {
  return relayed?.agent ?? executed?.agent ?? (executed?.by === undefined ? t('local') : t('here'));
}

/** Failures that the page describes itself, in its language. */
const ERRORS: readonly (readonly [kinds: RegExp, text: TextKey])[] = [
  [DENIED, 'errorDenied'],
  [/^consent-timeout$/, 'errorConsentTimeout'],
  [/^consent-disabled$/, 'errorConsentDisabled'],
  [/^consent-unavailable$/, 'errorConsentUnavailable'],
  [/^cancelled$/, 'errorCancelled'],
  [/^(timeout|ToolTimeout|Timeout)$/, 'errorTimeout'],
];

/** Why a call failed: in the language of the page where it can, otherwise as the Server or the Computer says it. */
export function errorOf(row: CallRow): string | undefined {
  const { relayed, executed } = row;
  const known = textOf(ERRORS, row);
  const { message, verdict } = relayed ?? {};
  const failed = verdict !== undefined && verdict !== 'ok' ? verdict : undefined;
  return known ?? message ?? executed?.error ?? (failed === 'failed' ? t('errorFailed') : failed);
}

/** What to do, by the kind of the failure at the Computer or the name of the error of the Server. */
const REMEDIES: readonly (readonly [kinds: RegExp, text: TextKey])[] = [
  [DENIED, 'remedyDenied'],
  [/^consent-(disabled|unavailable|failed)$/, 'remedyConsentUnavailable'],
  [/^consent-timeout$|^ToolRequiresConfirmation$/, 'remedyConsentTimeout'],
  [/^(timeout|ToolTimeout|Timeout)$/, 'remedyToolTimeout'],
  [/^unknown-|NotFound$/, 'remedyNotFound'],
  [/^(forbidden-tool|disabled-server|ToolDisabled)$/, 'remedyDisabled'],
  [/^(needs-login|unauthorized)$|^ToolAuthorization/, 'remedyLogin'],
  [/^(invalid-arguments|ambiguous-tool|BadRequest)$/, 'remedyArguments'],
  [/^overloaded$/, 'remedyOverloaded'],
  [/^TooManyRequests$/, 'remedyTooManyRequests'],
  [/^(Forbidden|CrossRoomAccess)$/, 'remedyForbidden'],
];

/** What a person can do about a failed call. */
export function remedyOf(row: CallRow): string {
  const { relayed, executed } = row;
  const isOfTool = executed ? executed.errorKind === undefined : relayed?.verdict === 'failed';
  return textOf(REMEDIES, row) ?? t(isOfTool ? 'remedyFailed' : 'remedyOther');
}

function textOf(table: typeof REMEDIES, row: CallRow): string | undefined {
  for (const kind of failureKinds(row)) {
    const found = table.find(([pattern]) => pattern.test(kind));
    if (found) return t(found[1]);
  }
  return undefined;
}
