import type { ContextCost } from '@a2c/protocol';
import { useEffect, useState } from 'preact/hooks';
import { CopyButton, Empty, ViewHeader } from '../parts/basics.js';
import { WindowedList } from '../parts/windowed-list.js';
import { request } from '../state/request.js';
import { connection, toolsRevision } from '../state/store.js';
import { formatNumber, t } from '../state/texts.js';

const ROW_HEIGHT = 40;

/** What tool lists cost a model, with the proxy and without it. */
export function ContextView() {
  const [cost, setCost] = useState<ContextCost | undefined>(undefined);
  useEffect(() => {
    request('context', {}).then(setCost, () => {});
  }, [toolsRevision.value, connection.value]);
  return (
    <>
      <ViewHeader title="context" lead="contextLead" />
      {cost && (cost.raw === 0 ? <Empty title={t('contextEmpty')} /> : <Cost cost={cost} />)}
    </>
  );
}

function Cost({ cost: { raw, proxy, servers, command } }: { readonly cost: ContextCost }) {
  const saving = Math.round((1 - proxy / raw) * 100);
  const largest = Math.max(...servers.map((server) => server.raw), 1);
  const sorted = servers.toSorted((a, b) => b.raw - a.raw);
  return (
    <>
      <section class="card comparison">
        <Bar label={t('contextWithout')} tokens={raw} share={raw / Math.max(raw, proxy)} />
        <Bar label={t('contextWith')} tokens={proxy} share={proxy / Math.max(raw, proxy)} isAccent />
        <p class="big">{saving > 0 ? t('contextSaving', { percent: saving }) : t('contextMore')}</p>
        <p class="muted">
          {t(command === undefined ? 'contextUse' : 'contextUseThis')} {t('estimate')}
        </p>
        {command !== undefined && (
          <div class="row">
            <code class="grow">{command}</code>
            <CopyButton text={() => command} />
          </div>
        )}
      </section>
      <section class="card">
        <h2>{t('pathServers')}</h2>
        <div class="box">
          <WindowedList items={sorted} rowHeight={ROW_HEIGHT} label={t('pathServers')} keyOf={({ name }) => name}>
            {({ name, tools, raw: tokens }) => (
              <div class="cost-row">
                <span class="cost-name">{name}</span>
                <span class="muted">{t('countTools', { count: tools })}</span>
                <span class="cost-bar" aria-hidden="true">
                  <span style={{ width: `${(tokens / largest) * 100}%` }} />
                </span>
                <span class="mono">{formatNumber(tokens)}</span>
              </div>
            )}
          </WindowedList>
        </div>
      </section>
    </>
  );
}

function Bar(props: {
  readonly label: string;
  readonly tokens: number;
  readonly share: number;
  readonly isAccent?: boolean;
}) {
  return (
    <div class="bar">
      <span>{props.label}</span>
      <span class="bar-track" aria-hidden="true">
        <span
          class={props.isAccent ? 'bar-fill bar-accent' : 'bar-fill'}
          style={{ width: `${Math.max(props.share * 100, 0.5)}%` }}
        />
      </span>
      <strong>{t('contextTokens', { count: formatNumber(props.tokens) })}</strong>
    </div>
  );
}
