import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { request } from '../state/request.js';
import { t } from '../state/texts.js';
import { ActionButton, CloseButton, errorText } from './basics.js';

const ADD = '#/computer/add';

/** What adding servers led to, where it has to be read. It stays until it is closed, in every view. */
const outcome = signal<readonly string[]>([]);

export function AddOutcome() {
  if (outcome.value.length === 0) return null;
  return (
    <section class="card outcome" role="alert" aria-label={t('addServer')}>
      <div class="card-head">
        <ul class="plain">
          {outcome.value.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <CloseButton onClick={() => (outcome.value = [])} />
      </div>
    </section>
  );
}

/** Adds servers. If the form was left meanwhile, the page stays where it is. */
async function add(text: string): Promise<void> {
  outcome.value = [];
  const isLeft = () => location.hash !== ADD;
  try {
    const { servers, warnings, refused } = await request('save-server', { text });
    const failures = refused.map(({ server, reason }) => t('notAdded', { name: server, reason }));
    const lines = [...failures, ...warnings];
    if (lines.length > 0 || isLeft()) outcome.value = [t('added', { names: servers.join(', ') }), ...lines];
    if (!isLeft()) location.hash = `#/computer/${encodeURIComponent(servers[0] ?? '')}`;
  } catch (error) {
    if (!isLeft()) throw error;
    outcome.value = [t('noneAdded', { reason: errorText(error) })];
  }
}

/** Adds MCP servers, from a form or from pasted JSON. */
export function AddServer() {
  const [way, setWay] = useState<'form' | 'json'>('form');
  const [name, setName] = useState('');
  const [kind, setKind] = useState<'stdio' | 'http'>('stdio');
  const [target, setTarget] = useState('');
  const [text, setText] = useState('');
  const isComplete = way === 'json' ? text.trim() !== '' : name.trim() !== '' && target.trim() !== '';
  return (
    <section class="detail" aria-label={t('addServer')}>
      <div class="card-head">
        <h2>{t('addServer')}</h2>
        <CloseButton onClick={() => (location.hash = '#/computer')} />
      </div>
      <form onSubmit={(event) => event.preventDefault()}>
        <fieldset class="choice">
          <legend class="visually-hidden">{t('kind')}</legend>
          {(['form', 'json'] as const).map((each) => (
            <label key={each}>
              <input type="radio" name="way" checked={way === each} onChange={() => setWay(each)} />
              {each === 'form' ? t('byForm') : t('byJson')}
            </label>
          ))}
        </fieldset>
        {way === 'json' ? (
          <JsonText value={text} onChange={setText} />
        ) : (
          <>
            <div class="field">
              <label for="server-name">{t('name')}</label>
              <input id="server-name" value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
            </div>
            <div class="field">
              <label for="server-kind">{t('kind')}</label>
              <select
                id="server-kind"
                value={kind}
                onChange={({ currentTarget }) => setKind(currentTarget.value as 'stdio')}
              >
                <option value="stdio">{t('kindStdio')}</option>
                <option value="http">{t('kindHttp')}</option>
              </select>
            </div>
            <div class="field">
              <label for="server-target">{kind === 'stdio' ? t('command') : t('url')}</label>
              <input
                id="server-target"
                class="mono"
                placeholder={
                  kind === 'stdio' ? 'npx -y @modelcontextprotocol/server-memory' : 'https://example.com/mcp'
                }
                value={target}
                onInput={({ currentTarget }) => setTarget(currentTarget.value)}
              />
              {kind === 'stdio' && <p class="help">{t('commandHint')}</p>}
            </div>
          </>
        )}
        <p class="help">
          {t('trustHint')} {t('notKept')}
        </p>
        <div class="actions">
          <ActionButton
            kind="primary"
            isDefault
            disabled={!isComplete}
            action={() => add(way === 'json' ? text : formText(name, kind, target))}
          >
            {t('addServer')}
          </ActionButton>
        </div>
      </form>
    </section>
  );
}

/** Edits the configuration of one MCP server. */
export function EditServer(props: { readonly name: string; readonly text: string; readonly onClose: () => void }) {
  const [text, setText] = useState(props.text);
  const save = async () => {
    await request('save-server', { server: props.name, text });
    props.onClose();
  };
  return (
    <section class="detail" aria-label={t('editServer', { name: props.name })}>
      <div class="card-head">
        <h2>{t('editServer', { name: props.name })}</h2>
        <CloseButton onClick={props.onClose} />
      </div>
      <JsonText value={text} onChange={setText} isEdited />
      <p class="help">{t('notKept')}</p>
      <div class="actions">
        <ActionButton kind="primary" action={save}>
          {t('save')}
        </ActionButton>
      </div>
    </section>
  );
}

function JsonText({
  value,
  onChange,
  isEdited = false,
}: {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly isEdited?: boolean;
}) {
  return (
    <div class="field">
      <label for="server-json">{t('json')}</label>
      <textarea
        id="server-json"
        class="mono"
        rows={14}
        spellcheck={false}
        placeholder={'{\n  "mcpServers": {\n    "memory": { "command": "npx", "args": ["-y", "…"] }\n  }\n}'}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <p class="help">
        {t('jsonHint')} {isEdited && t('maskedHint')}
      </p>
    </div>
  );
}

/** The form as a configuration. */
function formText(name: string, kind: 'stdio' | 'http', target: string): string {
  const [command = '', ...args] = words(target);
  const server = kind === 'stdio' ? { command, args } : { url: target.trim() };
  return JSON.stringify({ mcpServers: { [name.trim()]: server } });
}

/** Splits a command line at blanks outside quotes. */
function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}
