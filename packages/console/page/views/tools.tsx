import type { OperatorTool } from '@a2c/protocol';
import { useEffect, useState } from 'preact/hooks';
import { Empty, Hints, Separator, ViewHeader } from '../parts/basics.js';
import { ToolPanel } from '../parts/tool-panel.js';
import { WindowedList } from '../parts/windowed-list.js';
import { request } from '../state/request.js';
import { route } from '../state/settings.js';
import { connection, toolsRevision } from '../state/store.js';
import { t } from '../state/texts.js';

const ROW_HEIGHT = 58;
/** Typing within this time is one search. */
const SEARCH_MS = 120;

/** All tools: search, form, run, result. */
export function ToolsView() {
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<readonly OperatorTool[] | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    const search = () =>
      request('tools', query === '' ? {} : { query }).then(
        ({ tools }) => isCurrent && setFound(tools),
        () => {},
      );
    const timer = setTimeout(() => void search(), query === '' ? 0 : SEARCH_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [query, toolsRevision.value, connection.value]);
  const [, server, tool] = route.value.split('/').map(decodeURIComponent);
  const isChosen = server !== undefined && tool !== undefined;
  return (
    <div class="fill">
      <ViewHeader title="tools" lead="toolsLead" />
      <div class={isChosen ? 'split split-tools split-open' : 'split split-tools'}>
        <div class="tool-list">
          <input
            type="search"
            aria-label={t('search')}
            placeholder={t('searchTools')}
            value={query}
            onInput={({ currentTarget }) => setQuery(currentTarget.value)}
          />
          {found && found.length > 0 && (
            <WindowedList
              items={found}
              rowHeight={ROW_HEIGHT}
              label={t('tools')}
              keyOf={(each) => `${each.server} ${each.name}`}
            >
              {(each) => <ToolItem tool={each} isCurrent={each.server === server && each.name === tool} />}
            </WindowedList>
          )}
          {found?.length === 0 && query !== '' && <Empty title={t('toolsNoMatch')} />}
          {found?.length === 0 && query === '' && <Empty title={t('toolsEmpty')} text={t('toolsEmptyText')} />}
        </div>
        {isChosen ? (
          <ToolPanel key={`${server} ${tool}`} server={server} tool={tool} />
        ) : (
          found && found.length > 0 && <p class="muted choose">{t('chooseTool')}</p>
        )}
      </div>
    </div>
  );
}

function ToolItem({ tool, isCurrent }: { readonly tool: OperatorTool; readonly isCurrent: boolean }) {
  const { server, name, description, hints } = tool;
  const href = `#/tools/${encodeURIComponent(server)}/${encodeURIComponent(name)}`;
  return (
    <a class="tool" href={href} aria-current={isCurrent ? 'true' : undefined}>
      <span class="tool-name">
        {name}
        <Separator />
        <span class="muted">{server}</span>
        <Hints hints={hints.filter((hint) => hint === 'destructive')} />
      </span>
      <Separator />
      <span class="tool-text muted">{description}</span>
    </a>
  );
}
