import type { OperatorToolDetail } from '@a2c/protocol';
import { useEffect, useRef, useState } from 'preact/hooks';
import { request } from '../state/request.js';
import { callId, type Run, run, runs } from '../state/runs.js';
import { toolsRevision } from '../state/store.js';
import { formatMs, formatTime, t } from '../state/texts.js';
import { ActionButton, announce, CloseButton, CopyButton, errorText, Hints } from './basics.js';
import { JsonTree } from './json-tree.js';
import { ResultView } from './result-view.js';
import { initialArguments, type Schema } from './schema.js';
import { SchemaForm } from './schema-form.js';

/** One tool: its description and type, a form, and the results. */
export function ToolPanel({ server, tool }: { readonly server: string; readonly tool: string }) {
  const [detail, setDetail] = useState<OperatorToolDetail | undefined>(undefined);
  const [error, setError] = useState('');
  const [args, setArgs] = useState<Readonly<Record<string, unknown>>>({});
  const [shownId, setShownId] = useState<string | undefined>(undefined);
  const [formKey, setFormKey] = useState(0);
  useEffect(() => {
    request('tool', { server, tool }).then(
      (found) => {
        setDetail(found);
        setError('');
        setArgs((given) => (Object.keys(given).length > 0 ? given : initialArguments(found.inputSchema as Schema)));
      },
      (thrown) => setError(errorText(thrown)),
    );
  }, [server, tool, toolsRevision.value]);
  const own = runs.value.filter((each) => each.server === server && each.tool === tool);
  const shown = own.find(({ id }) => id === shownId) ?? own[0];
  const submit = (event: Event) => {
    event.preventDefault();
    setShownId(run(server, tool, args));
  };
  const restore = (given: Run['arguments']) => {
    setArgs(given);
    setFormKey(formKey + 1);
  };
  return (
    <section class="detail tool-panel" aria-label={tool}>
      <div class="card-head">
        <h2>
          {tool} <span class="muted">{server}</span>
        </h2>
        <CloseButton onClick={() => (location.hash = '#/tools')} />
      </div>
      {error && <p class="error-text">{error}</p>}
      {detail && (
        <>
          <p class="description">{detail.description}</p>
          <p>
            <Hints hints={detail.hints} />
          </p>
          <form onSubmit={submit}>
            <SchemaForm key={formKey} schema={detail.inputSchema as Schema} value={args} onChange={setArgs} />
            <div class="actions">
              <button type="submit" class="primary">
                {t('run')}
              </button>
              <CopyButton label="copyCommand" text={() => shellCommand(detail.copy.shell, args)} />
              <CopyButton
                label="copyCode"
                text={() => detail.copy.code.replace('ARGUMENTS', () => JSON.stringify(args))}
              />
            </div>
          </form>
          {shown && <RunView run={shown} />}
          {own.length > 1 && <History own={own} shown={shown} onShow={setShownId} onRestore={restore} />}
          <details>
            <summary>{t('type')}</summary>
            <pre class="text-output mono" tabIndex={0}>
              {detail.type}
              {detail.outputType === undefined ? '' : `\n→ ${detail.outputType}`}
            </pre>
          </details>
        </>
      )}
    </section>
  );
}

/** The arguments are quoted for a POSIX shell. */
function shellCommand(command: string, args: Readonly<Record<string, unknown>>): string {
  const quoted = `'${JSON.stringify(args).replaceAll("'", `'\\''`)}'`;
  return command.replace(/'?ARGUMENTS'?/, () => quoted);
}

/** A call of this page: its progress, then its result. */
function RunView({ run: each }: { readonly run: Run }) {
  const { id, tool, startedAt, endedAt, progress, result, error } = each;
  const section = useRef<HTMLElement>(null);
  const wasRunning = useRef(false);
  useEffect(() => {
    if (endedAt === undefined) {
      wasRunning.current = true;
      return;
    }
    announce(t('announceResult', { tool }));
    if (!wasRunning.current) return; // An earlier run is shown again.
    wasRunning.current = false;
    section.current?.scrollIntoView({ block: 'nearest' });
    // Who pressed Enter in a field can correct it and press Enter again.
    const { activeElement } = document;
    const isAtButton = activeElement === document.body || activeElement?.matches('button[type=submit]');
    if (isAtButton) section.current?.focus({ preventScroll: true });
  }, [id, endedAt]);
  return (
    <section class="run" aria-label={t('result')} tabIndex={-1} ref={section}>
      <h3>
        {t('result')}
        {endedAt !== undefined && <span class="muted mono">{formatMs(endedAt - startedAt)}</span>}
      </h3>
      {error !== undefined && <p class="error-text">{error}</p>}
      {!result && error === undefined && (
        <div class="progress">
          <progress
            aria-label={t('running')}
            {...(progress?.total ? { max: progress.total, value: progress.progress } : {})}
          />
          <span>{progress?.message ?? t('running')}</span>
          <ActionButton kind="danger" action={() => request('cancel', { id: callId(each) })}>
            {t('cancel')}
          </ActionButton>
        </div>
      )}
      {result && <ResultView result={result} />}
    </section>
  );
}

function History(props: {
  readonly own: readonly Run[];
  readonly shown: Run | undefined;
  readonly onShow: (id: string) => void;
  readonly onRestore: (args: Run['arguments']) => void;
}) {
  return (
    <details>
      <summary>{t('runHistory')}</summary>
      <ul class="plain runs">
        {props.own.map(({ id, startedAt, arguments: args, result }) => (
          <li key={id} aria-current={id === props.shown?.id ? 'true' : undefined}>
            <button type="button" class="quiet mono" onClick={() => props.onShow(id)}>
              {formatTime(startedAt)} {result?.isError ? t('failed') : ''}
            </button>
            <JsonTree value={args} depth={2} />
            <button type="button" class="quiet" onClick={() => props.onRestore(args)}>
              {t('again')}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
