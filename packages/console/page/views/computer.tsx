import { AllowedTools } from '../parts/allowed-tools.js';
import { Empty, Separator, State, ViewHeader } from '../parts/basics.js';
import { Inputs } from '../parts/inputs.js';
import { AddServer } from '../parts/server-editor.js';
import { ServerPanel, serverKind } from '../parts/server-panel.js';
import { WindowedList } from '../parts/windowed-list.js';
import { route } from '../state/settings.js';
import { computer, lists } from '../state/store.js';
import { t, tOf } from '../state/texts.js';

const ROW_HEIGHT = 62;

/** The MCP servers of the Computer, and its inputs. */
export function ComputerView() {
  const servers = lists.servers.items.value;
  const [, chosen = ''] = route.value.split('/').map(decodeURIComponent);
  const server = servers.find(({ name }) => name === chosen);
  const isAdding = chosen === 'add' && !server;
  const { name, url, office, state } = computer.value ?? {};
  const failedFirst = servers.toSorted((a, b) => Number(b.state === 'failed') - Number(a.state === 'failed'));
  return (
    <div class="fill">
      <ViewHeader title="computer" lead="computerLead">
        <a class="button primary" href="#/computer/add">
          {t('addServer')}
        </a>
      </ViewHeader>
      {name !== undefined && (
        <p class="where">
          <strong>{name}</strong>{' '}
          <span class="muted">
            {office && url
              ? t('inOffice', { office, url })
              : state === 'connecting'
                ? t('connecting')
                : t('notConnected')}
          </span>
        </p>
      )}
      <AllowedTools />
      <Inputs />
      <div class={server || isAdding ? 'split split-open' : 'split'}>
        {servers.length === 0 ? (
          <Empty title={t('serversEmpty')} text={t('serversEmptyText')} />
        ) : (
          <WindowedList items={failedFirst} rowHeight={ROW_HEIGHT} label={t('pathServers')} keyOf={(each) => each.name}>
            {(each) => (
              <a
                class="server-item"
                href={`#/computer/${encodeURIComponent(each.name)}`}
                aria-current={each.name === chosen ? 'true' : undefined}
              >
                <span class="server-name">
                  {each.name}
                  <Separator />
                  <span class="muted">{each.state === 'failed' ? each.cause : (each.activity ?? each.transport)}</span>
                </span>
                <Separator />
                <span class="muted server-tools">{t('countTools', { count: each.tools })}</span>
                <Separator />
                <State kind={serverKind(each.state)} text={tOf('state', each.state)} />
              </a>
            )}
          </WindowedList>
        )}
        {server && <ServerPanel key={server.name} server={server} />}
        {isAdding && <AddServer />}
      </div>
    </div>
  );
}
