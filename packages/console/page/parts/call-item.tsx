import type { CallRow } from '../state/store.js';
import { formatMs, formatTime, t } from '../state/texts.js';
import { Separator, State } from './basics.js';
import { type CallState, callerOf, durationOf, legsOf, stateOf } from './call-legs.js';

const KINDS = {
  running: 'busy',
  asking: 'busy',
  ok: 'good',
  failed: 'bad',
  denied: 'off',
  cancelled: 'off',
} as const satisfies Record<CallState, string>;

/** The state of a call as a dot and a word. */
export function CallStateLabel({ row }: { readonly row: CallRow }) {
  const state = stateOf(row);
  return <State kind={KINDS[state]} text={t(state)} />;
}

/** One call in a list: who, where, what, how long. */
export function CallItem({
  row,
  href,
  isCurrent,
}: {
  readonly row: CallRow;
  readonly href: string;
  readonly isCurrent?: boolean;
}) {
  const { relayed, executed } = row;
  const state = stateOf(row);
  const isPending = state === 'running' || state === 'asking';
  return (
    <a class="call" href={href} aria-current={isCurrent ? 'true' : undefined}>
      <span class="call-time mono">{formatTime(row.startedAt)}</span>
      <Separator />
      <span class="call-what">
        <span class="call-tool">{executed?.tool ?? relayed?.tool}</span>
        <Separator />
        <span class="call-way">
          {[callerOf(row), relayed?.computer, executed?.server].filter((part) => part).join(' → ')}
        </span>
      </span>
      <Separator />
      <LegBar row={row} />
      <span class="call-ms mono">{isPending ? '…' : formatMs(durationOf(row))}</span>
      <Separator />
      <CallStateLabel row={row} />
    </a>
  );
}

/** The parts of a call as a bar. The detail of the call has the numbers. */
export function LegBar({ row }: { readonly row: CallRow }) {
  const legs = legsOf(row);
  const total = legs.reduce((sum, { ms }) => sum + ms, 0) || 1;
  return (
    <span class="legs" aria-hidden="true">
      {legs.map(({ kind, ms }, index) => (
        <span key={index} class={`leg leg-${kind}`} style={{ flexGrow: Math.max(ms / total, 0.01) }} />
      ))}
    </span>
  );
}
