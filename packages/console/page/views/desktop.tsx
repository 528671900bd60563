import type { OperatorWindow } from '@a2c/protocol';
import { useEffect, useState } from 'preact/hooks';
import { Empty, ViewHeader } from '../parts/basics.js';
import { dataUrl } from '../parts/result-view.js';
import { request } from '../state/request.js';
import { connection, desktopRevision } from '../state/store.js';
import { t } from '../state/texts.js';

/** The windows of the MCP servers, as they change. */
export function DesktopView() {
  const [windows, setWindows] = useState<readonly OperatorWindow[] | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    request('desktop', {}).then(
      (answer) => isCurrent && setWindows(answer.windows),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [desktopRevision.value, connection.value]);
  const sorted = windows?.toSorted((a, b) => b.priority - a.priority);
  return (
    <>
      <ViewHeader title="desktop" lead="desktopLead" />
      {sorted?.length === 0 && <Empty title={t('desktopEmpty')} text={t('desktopEmptyText')} />}
      <div class="windows">
        {sorted?.map((window) => (
          <Window key={`${window.server} ${window.uri}`} window={window} />
        ))}
      </div>
    </>
  );
}

function Window({ window: { title, server, uri, text, blob, mimeType } }: { readonly window: OperatorWindow }) {
  return (
    <article class="window" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span class="muted" title={uri}>
          {server}
        </span>
      </header>
      {blob !== undefined && mimeType?.startsWith('image/') ? (
        <img src={dataUrl(blob, mimeType, 'image')} alt={title} />
      ) : (
        <pre tabIndex={0}>{text ?? ''}</pre>
      )}
    </article>
  );
}
