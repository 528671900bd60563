import type { OperatorMember, OperatorRefusal } from '@a2c/protocol';
import { ActionButton, Empty, ViewHeader } from '../parts/basics.js';
import { WindowedList } from '../parts/windowed-list.js';
import { request } from '../state/request.js';
import { lists, node } from '../state/store.js';
import { formatMs, formatNumber, formatTime, type TextKey, t } from '../state/texts.js';

/** Lists of members up to this length are shown whole; longer ones scroll. */
const WHOLE = 20;
/** Narrow screens show the facts of a member below its name. */
const rowHeight = () => (innerWidth > 860 ? 60 : 116);

/** The offices of the Server: who is there, joins and leaves, refusals, limits. */
export function OfficesView() {
  const members = lists.members.items.value;
  const offices = new Map<string, OperatorMember[]>();
  for (const member of members) {
    const { office = '' } = member;
    offices.set(office, [...(offices.get(office) ?? []), member]);
  }
  return (
    <>
      <ViewHeader title="offices" lead="officesLead" />
      {members.length === 0 && <Empty title={t('officesEmpty')} text={t('officesEmptyText')} />}
      {[...offices]
        .sort(([a], [b]) => (a === '' ? 1 : b === '' ? -1 : a.localeCompare(b)))
        .map(([office, inside]) => (
          <Office key={office} office={office} members={inside} />
        ))}
      <div class="columns">
        <Movements />
        <Refusals />
      </div>
      <Limits />
    </>
  );
}

function Office({ office, members }: { readonly office: string; readonly members: readonly OperatorMember[] }) {
  return (
    <section class="card">
      <h2>
        {office === '' ? t('noOffice') : office} <span class="nav-count">{members.length}</span>
      </h2>
      {members.length <= WHOLE ? (
        <ul class="plain">
          {members.map((member) => (
            <li key={member.sid}>
              <Member member={member} />
            </li>
          ))}
        </ul>
      ) : (
        <div class="box">
          <WindowedList items={members} rowHeight={rowHeight()} label={office} keyOf={({ sid }) => sid}>
            {(member) => <Member member={member} />}
          </WindowedList>
        </div>
      )}
    </section>
  );
}

function Member({ member }: { readonly member: OperatorMember }) {
  const { sid, name = sid, role, subject, address, since, version, generation, roundTripMs } = member;
  return (
    <div class="member">
      <span class={`role role-${role ?? 'none'}`}>
        {role === 'agent' ? t('agent') : role === 'computer' ? t('computer') : '–'}
      </span>
      <span class="member-name">
        {name}
        <span class="muted">
          {t('from')} {address} · {subject}
        </span>
      </span>
      <span class="member-facts muted">
        {t('since')} {formatTime(since)} · {t('generation')} {protocolOf(version, generation)}
        {roundTripMs !== undefined && ` · ${t('roundTrip')} ${formatMs(roundTripMs)}`}
      </span>
      <ActionButton
        kind="quiet"
        label={t('kickLabel', { name })}
        confirm={t('kickConfirm', { name })}
        action={() => request('kick', { sid })}
      >
        {t('kick')}
      </ActionButton>
    </div>
  );
}

/** The version that a member declared, and the generation it is served in if the version does not tell it. */
function protocolOf(version: string | undefined, generation: OperatorMember['generation']): string {
  const dialect = generation === 'spec' ? t('dialectSpec') : generation;
  if (version === undefined) return dialect ?? t('undeclared');
  return dialect === undefined || version.startsWith(dialect) ? version : `${version} (${dialect})`;
}

function Movements() {
  const movements = lists.movements.items.value.toReversed().slice(0, 50);
  return (
    <section class="card">
      <h2>{t('movements')}</h2>
      {movements.length === 0 ? (
        <p class="muted">{t('movementsEmpty')}</p>
      ) : (
        <div class="log-list" role="log" tabIndex={0} aria-label={t('movements')}>
          <ul class="plain">
            {movements.map(({ id, time, office, name, what }) => (
              <li key={id}>
                <span class="mono muted">{formatTime(time)}</span> {t(`moved${what}`, { name, office })}
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function Refusals() {
  const refusals = lists.refusals.items.value.toReversed().slice(0, 50);
  return (
    <section class="card">
      <h2>{t('refusals')}</h2>
      {refusals.length === 0 ? (
        <p class="muted">{t('refusalsEmpty')}</p>
      ) : (
        <ul class="plain log-list" tabIndex={0} aria-label={t('refusals')}>
          {refusals.map((refusal) => (
            <li key={refusal.id}>
              <span class="mono muted">{formatTime(refusal.time)}</span> {refusedWhat(refusal)}
              <span class="muted"> · {refusedWhy(refusal)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Who was refused what. */
function refusedWhat({ event, subject, address }: OperatorRefusal): string {
  const who = subject === undefined ? address : `${subject} (${address})`;
  if (event === 'connect') return t('refusedConnect', { who });
  if (/join_office$/.test(event)) return t('refusedJoin', { who });
  return t('refusedRequest', { who, event });
}

/** Refusals that the page describes itself, in its language. */
const REASONS: Readonly<Record<string, TextKey>> = {
  Unauthorized: 'reasonUnauthorized',
  Forbidden: 'reasonForbidden',
  TooManyRequests: 'reasonTooMany',
  RoomFull: 'reasonRoomFull',
};

function refusedWhy({ reason, code, message }: OperatorRefusal): string {
  const known = REASONS[reason];
  const text =
    known === undefined ? (message ?? reason) : message === undefined ? t(known) : `${t(known)} (${message})`;
  return code === undefined ? text : `${text} · ${code}`;
}

function Limits() {
  const { limits } = node.value ?? {};
  if (!limits) return null;
  return (
    <details class="card">
      <summary>{t('limits')}</summary>
      <dl class="facts facts-wide">
        {Object.entries(limits).map(([name, value]) => (
          <div key={name}>
            <dt class="mono">{name}</dt>
            <dd>{formatNumber(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
