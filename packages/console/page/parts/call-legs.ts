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

export type CallState = 'running' | 'asking' | 'ok' | 'failed' | 'cancelled';

export function stateOf({ relayed, executed }: CallRow): CallState {
  const isEnded = relayed ? relayed.verdict !== undefined : executed?.answeredAt !== undefined;
  if (!isEnded) return executed?.askedAt !== undefined && executed.decidedAt === undefined ? 'asking' : 'running';
  const isGood = relayed ? relayed.verdict === 'ok' : executed?.success === true;
  if (isGood) return 'ok';
  return executed?.errorKind === 'cancelled' ? 'cancelled' : 'failed';
}

/** The end of a call, or now. */
export function endOf({ relayed, executed }: CallRow): number {
  return (relayed ? relayed.answeredAt : executed?.answeredAt) ?? Date.now();
}

export function durationOf(row: CallRow): number {
  return Math.max(0, endOf(row) - row.startedAt) + (row.relayed?.agentRoundTripMs ?? 0);
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
    steps.push(['run', t('legRun'), executed.returnedAt]);
    steps.push(['computer', t('legPrepare'), executed.answeredAt]);
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

export function errorOf({ relayed, executed }: CallRow): string | undefined {
  const { message, verdict } = relayed ?? {};
  return message ?? executed?.error ?? (verdict !== undefined && verdict !== 'ok' ? verdict : undefined);
}

/** What to do, by the kind of the failure at the Computer or the name of the error of the Server. */
const REMEDIES: readonly (readonly [kinds: RegExp, text: TextKey])[] = [
  [/^consent-|^ToolRequiresConfirmation$/, 'remedyConsent'],
  [/^(timeout|ToolTimeout|Timeout)$/, 'remedyToolTimeout'],
  [/^unknown-|NotFound$/, 'remedyNotFound'],
  [/^(forbidden-tool|disabled-server|ToolDisabled)$/, 'remedyDisabled'],
  [/^(needs-login|unauthorized)$|^ToolAuthorization/, 'remedyLogin'],
  [/^(invalid-arguments|ambiguous-tool|BadRequest)$/, 'remedyArguments'],
  [/^(overloaded|TooManyRequests)$/, 'remedyTooManyRequests'],
  [/^(Forbidden|CrossRoomAccess)$/, 'remedyForbidden'],
];

/** What a person can do about a failed call. */
export function remedyOf({ relayed, executed }: CallRow): string {
  const kinds = [executed?.errorKind, relayed?.verdict].filter((kind) => kind !== undefined);
  for (const kind of kinds) {
    const found = REMEDIES.find(([pattern]) => pattern.test(kind));
    if (found) return t(found[1]);
  }
  return t(relayed?.verdict === 'failed' || executed?.error === null ? 'remedyFailed' : 'remedyOther');
}
