import { useEffect, useRef, useState } from 'preact/hooks';
import { ActionButton, CloseButton, Empty, ViewHeader } from '../parts/basics.js';
import { CallItem, CallStateLabel } from '../parts/call-item.js';
import { callerOf, durationOf, errorOf, type Leg, legsOf, remedyOf, stateOf, wasRun } from '../parts/call-legs.js';
import { JsonTree } from '../parts/json-tree.js';
import { WindowedList } from '../parts/windowed-list.js';
import { request } from '../state/request.js';
import { route } from '../state/settings.js';
import { type CallRow, calls } from '../state/store.js';
import { formatBytes, formatMs, formatNumber, formatTime, t } from '../state/texts.js';

const ROW_HEIGHT = 52;

type Wanted = 'all' | 'running' | 'failed';

/** Every tool call, live. */
export function CallsView() {
  const [filter, setFilter] = useState('');
  const [wanted, setWanted] = useState<Wanted>('all');
  const [frozen, setFrozen] = useState<readonly CallRow[] | undefined>(undefined);
  const all = frozen ?? calls.value;
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = all.filter((row) => isWanted(row, wanted) && matches(row, words));
  const selectedId = decodeURIComponent(route.value.split('/').slice(1).join('/'));
  const selected = selectedId === '' ? undefined : calls.value.find(({ id }) => id === selectedId);
  const newer = frozen ? calls.value.filter(({ startedAt }) => startedAt > (frozen[0]?.startedAt ?? 0)).length : 0;
  return (
    <div class="fill">
      <ViewHeader title="calls" lead="callsLead" />
      <div class="toolbar">
        <label class="grow">
          <span class="visually-hidden">{t('filter')}</span>
          <input
            type="search"
            placeholder={t('filterCalls')}
            value={filter}
            onInput={({ currentTarget }) => setFilter(currentTarget.value)}
          />
        </label>
        <select
          aria-label={t('stateAll')}
          value={wanted}
          onChange={({ currentTarget }) => setWanted(currentTarget.value as Wanted)}
        >
          <option value="all">{t('stateAll')}</option>
          <option value="running">{t('stateRunning')}</option>
          <option value="failed">{t('stateFailed')}</option>
        </select>
        <button
          type="button"
          aria-pressed={frozen !== undefined}
          onClick={() => setFrozen(frozen ? undefined : calls.value)}
        >
          {frozen ? t('resume') : t('pause')}
        </button>
        <span class="muted count" data-count={rows.length}>
          {frozen ? t('paused', { count: formatNumber(newer) }) : t('countCalls', { count: formatNumber(rows.length) })}
        </span>
      </div>
      <div class={selected ? 'split split-open' : 'split'}>
        {rows.length === 0 ? (
          <Empty title={all.length === 0 ? t('noCallsYet') : t('callsNoMatch')} />
        ) : (
          <WindowedList items={rows} rowHeight={ROW_HEIGHT} label={t('calls')} keyOf={({ id }) => id}>
            {(row) => (
              <CallItem row={row} href={`#/calls/${encodeURIComponent(row.id)}`} isCurrent={row.id === selectedId} />
            )}
          </WindowedList>
        )}
        {selected && <CallDetail row={selected} />}
      </div>
    </div>
  );
}

function isWanted(row: CallRow, wanted: Wanted): boolean {
  if (wanted === 'all') return true;
  const state = stateOf(row);
  return wanted === 'running'
    ? state === 'running' || state === 'asking'
    : state !== 'ok' && state !== 'running' && state !== 'asking';
}

function matches(row: CallRow, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { relayed, executed } = row;
  const text = [
    callerOf(row),
    relayed?.office,
    relayed?.computer,
    relayed?.tool,
    executed?.server,
    executed?.tool,
    errorOf(row),
  ]
    .join(' ')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

type Detail = Awaited<ReturnType<typeof request<'call'>>>;

/** One call: the time of each part, its error and what to do, its arguments and its audit record. */
function CallDetail({ row }: { readonly row: CallRow }) {
  const [detail, setDetail] = useState<Detail>({});
  const state = stateOf(row);
  const isPending = state === 'running' || state === 'asking';
  const panel = useRef<HTMLElement>(null);
  const { relayed, executed } = row;
  useEffect(() => {
    let isLatest = true;
    setDetail({});
    // A response that is late must not replace a newer one, which has the result.
    void request('call', { id: row.id }).then(
      (found) => isLatest && setDetail(found),
      () => {},
    );
    return () => {
      isLatest = false;
    };
  }, [row.id, isPending, executed?.answeredAt]);
  const error = isPending || state === 'ok' ? undefined : errorOf(row);
  return (
    <section class="detail" ref={panel} aria-label={t('callDetail')}>
      <div class="card-head">
        <h2>{executed?.tool ?? relayed?.tool}</h2>
        <CloseButton onClick={() => (location.hash = '#/calls')} />
      </div>
      <p class="actions">
        <CallStateLabel row={row} />
        {isPending && (
          <ActionButton kind="danger" action={() => request('cancel', { id: row.id })}>
            {t('cancel')}
          </ActionButton>
        )}
      </p>
      {error !== undefined && (
        <div class="well well-bad">
          <p class="error-text">{error}</p>
          {state === 'cancelled' ? (
            <p>{t(wasRun(row) ? 'cancelledRunning' : 'cancelledBefore')}</p>
          ) : (
            <p>
              <strong>{t('remedy')}</strong> {remedyOf(row)}
            </p>
          )}
        </div>
      )}
      <Timeline row={row} />
      <dl class="facts">
        <Fact name={t('time')} value={formatTime(row.startedAt)} />
        <Fact name={t('agent')} value={callerOf(row)} />
        <Fact name={t('office')} value={relayed?.office ?? executed?.office ?? undefined} />
        <Fact name={t('computer')} value={relayed?.computer} />
        <Fact name={t('mcpServer')} value={executed?.server} />
        <Fact name="req_id" value={relayed?.reqId ?? executed?.reqId} />
        <Fact name={t('requestSize')} value={relayed?.bytesIn ? formatBytes(relayed.bytesIn) : undefined} />
        <Fact name={t('answerSize')} value={relayed?.bytesOut ? formatBytes(relayed.bytesOut) : undefined} />
      </dl>
      {detail.arguments && (
        <>
          <h3>{t('arguments')}</h3>
          <div class="well">
            <JsonTree value={detail.arguments} />
          </div>
        </>
      )}
      {detail.result && !isPending && (
        <>
          <h3>{t('result')}</h3>
          <pre class="text-output mono" tabIndex={0}>
            {detail.result.text === '' ? t('resultEmpty') : detail.result.text}
            {detail.result.isCut && '…'}
          </pre>
        </>
      )}
      {detail.audit && (
        <>
          <h3>{t('audit')}</h3>
          <div class="well">
            <JsonTree value={detail.audit} />
          </div>
        </>
      )}
    </section>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string | undefined }) {
  if (!value) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Timeline({ row }: { readonly row: CallRow }) {
  const legs = legsOf(row);
  const total = durationOf(row) || 1;
  let passed = 0;
  const placed = legs.map((leg) => {
    const start = passed;
    passed += leg.ms;
    return { ...leg, start };
  });
  return (
    <ol class="timeline">
      {placed.map((leg, index) => (
        <TimelineRow key={index} leg={leg} start={leg.start / total} width={leg.ms / total} />
      ))}
      <li class="timeline-total">
        <span>{t('total')}</span>
        <span class="mono">{formatMs(durationOf(row))}</span>
      </li>
    </ol>
  );
}

function TimelineRow({ leg, start, width }: { readonly leg: Leg; readonly start: number; readonly width: number }) {
  return (
    <li>
      <span>{leg.label}</span>
      <span class="timeline-track" aria-hidden="true">
        <span
          class={`leg leg-${leg.kind}`}
          style={{ marginLeft: `${Math.min(start * 100, 99)}%`, width: `${Math.max(width * 100, 0.8)}%` }}
        />
      </span>
      <span class="mono">{leg.isEstimate ? `≈ ${formatMs(leg.ms)}` : formatMs(leg.ms)}</span>
    </li>
  );
}
