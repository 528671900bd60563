import { useState } from 'preact/hooks';
import { request } from '../state/request.js';
import { t } from '../state/texts.js';
import { ActionButton, CloseButton } from './basics.js';

/** Adds MCP servers, from a form or from pasted JSON. */
export function AddServer() {
  const [way, setWay] = useState<'form' | 'json'>('form');
  const [name, setName] = useState('');
  const [kind, setKind] = useState<'stdio' | 'http'>('stdio');
  const [target, setTarget] = useState('');
  const [text, setText] = useState('');
  const save = async () => {
    const given = way === 'json' ? text : formText(name, kind, target);
    const { servers } = await request('save-server', { text: given });
    location.hash = `#/computer/${encodeURIComponent(servers[0] ?? '')}`;
  };
  const isComplete = way === 'json' ? text.trim() !== '' : name.trim() !== '' && target.trim() !== '';
  return (
    <section class="detail" aria-label={t('addServer')}>
      <div class="card-head">
        <h2>{t('addServer')}</h2>
        <CloseButton onClick={() => (location.hash = '#/computer')} />
      </div>
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
              placeholder={kind === 'stdio' ? 'npx -y @modelcontextprotocol/server-memory' : 'https://example.com/mcp'}
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
        <ActionButton kind="primary" disabled={!isComplete} action={save}>
          {t('addServer')}
        </ActionButton>
      </div>
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
      <JsonText value={text} onChange={setText} />
      <p class="help">{t('notKept')}</p>
      <div class="actions">
        <ActionButton kind="primary" action={save}>
          {t('save')}
        </ActionButton>
      </div>
    </section>
  );
}

function JsonText({ value, onChange }: { readonly value: string; readonly onChange: (text: string) => void }) {
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
      <p class="help">{t('jsonHint')}</p>
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
