import { type ChangedTool, type OperatorServer, type OperatorServerDetail, reviewText } from '@a2c/protocol';
import { useEffect, useState } from 'preact/hooks';
import { request } from '../state/request.js';
import { logRevisions, offers } from '../state/store.js';
import { formatTime, t, tOf } from '../state/texts.js';
import { ActionButton, CloseButton, State } from './basics.js';
import { ReviewBox } from './review-box.js';
import { EditServer } from './server-editor.js';

export function serverKind(state: OperatorServer['state']): 'good' | 'bad' | 'busy' | 'off' {
  return ({ ready: 'good', failed: 'bad', starting: 'busy', stopped: 'off', disabled: 'off' } as const)[state];
}

/** One MCP server: state, log, login, changed tools, and what can be done. */
export function ServerPanel({ server }: { readonly server: OperatorServer }) {
  const { name, state, cause, restarts, since, pid, version, protocolVersion, transport, tools } = server;
  const [detail, setDetail] = useState<OperatorServerDetail | undefined>(undefined);
  const [isEditing, setEditing] = useState(false);
  const [isSure, setSure] = useState(false);
  useEffect(() => {
    request('server', { server: name }).then(setDetail, () => {});
  }, [name, state, restarts, server.changedTools, logRevisions.value.get(name)]);
  const act = (action: 'start-server' | 'stop-server' | 'restart-server') => () => request(action, { server: name });
  const isOff = state === 'stopped' || state === 'disabled';
  const remove = async () => {
    if (!isSure) {
      setSure(true);
      return;
    }
    await request('remove-server', { server: name });
    location.hash = '#/computer';
  };
  if (isEditing && detail) return <EditServer name={name} text={detail.config} onClose={() => setEditing(false)} />;
  return (
    <section class="detail" aria-label={name}>
      <div class="card-head">
        <h2>{name}</h2>
        <CloseButton onClick={() => (location.hash = '#/computer')} />
      </div>
      <p>
        <State kind={serverKind(state)} text={tOf('state', state)} />
      </p>
      {cause && (
        <div class="well well-bad">
          <p class="error-text">{cause}</p>
        </div>
      )}
      <Login server={server} />
      <div class="actions">
        {isOff || state === 'failed' ? (
          <ActionButton kind="primary" action={act('start-server')}>
            {t('start')}
          </ActionButton>
        ) : (
          <>
            <ActionButton action={act('restart-server')}>{t('restart')}</ActionButton>
            <ActionButton action={act('stop-server')}>{t('stop')}</ActionButton>
          </>
        )}
        <button type="button" disabled={!detail} onClick={() => setEditing(true)}>
          {t('edit')}
        </button>
        <ActionButton kind="danger" action={remove}>
          {isSure ? t('removeSure', { name }) : t('remove')}
        </ActionButton>
      </div>
      <Changes detail={detail} />
      <dl class="facts">
        <Fact name={t('transport')} value={transport} />
        <Fact
          name={t('sandbox')}
          value={server.sandboxed ? t('sandboxOn') : transport === 'stdio' ? t('sandboxOff') : null}
        />
        <Fact name={t('since')} value={since && formatTime(since)} />
        <Fact name={t('tools')} value={String(tools)} />
        <Fact name={t('restarts')} value={String(restarts)} />
        <Fact name={t('process')} value={pid && String(pid)} />
        <Fact name={t('generation')} value={protocolVersion} />
        <Fact name={t('version')} value={version} />
      </dl>
      {detail?.instructions && (
        <>
          <h3>{t('instructions')}</h3>
          <p class="description">{detail.instructions}</p>
        </>
      )}
      <h3>{t('log')}</h3>
      <pre class="log" tabIndex={0}>
        {detail?.log || t('logEmpty')}
      </pre>
    </section>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string | number | null }) {
  if (value === null || value === '') return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Shown where the host can log in and the MCP server wants it. */
function Login({ server: { name, login } }: { readonly server: OperatorServer }) {
  if (!login || !offers.value.has('login')) return null;
  if (login.state === 'done') {
    return (
      <p>
        <State kind="good" text={login.account ? t('loggedInAs', { account: login.account }) : t('loggedIn')} />
      </p>
    );
  }
  const isWebAddress = isWeb(login.url);
  return (
    <div class="well">
      {login.state === 'pending' ? (
        <p>
          {t('loginPending')}{' '}
          {isWebAddress && (
            <a href={login.url} target="_blank" rel="noopener noreferrer">
              {t('loginOpen')}
            </a>
          )}
        </p>
      ) : (
        <ActionButton kind="primary" action={() => logIn(name)}>
          {login.account ? t('loginAs', { account: login.account }) : t('login')}
        </ActionButton>
      )}
    </div>
  );
}

/** Opens the login page. The window is opened at once, because browsers block those that a click did not open. */
async function logIn(server: string): Promise<void> {
  const opened = window.open('about:blank', '_blank');
  try {
    const { url } = await request('login', { server });
    if (opened && isWeb(url)) {
      opened.opener = null;
      opened.location.href = url;
      return;
    }
  } catch (error) {
    opened?.close();
    throw error;
  }
  opened?.close();
}

function isWeb(url: string | undefined): url is string {
  return url !== undefined && /^https?:\/\//.test(url);
}

/** Tools that differ from what a person approved, with the differences. */
function Changes({ detail }: { readonly detail: OperatorServerDetail | undefined }) {
  const changes = detail?.changes ?? [];
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const isHidden = ({ id }: ChangedTool) => !shown.has(id);
  const keep = (id: string) => (isShown: boolean) =>
    setShown((before) => new Set(isShown ? [...before, id] : [...before].filter((other) => other !== id)));
  if (!detail || changes.length === 0 || !offers.value.has('approve-tools')) return null;
  const { name: server } = detail;
  const approve = (seen: readonly ChangedTool[]) =>
    request('approve-tools', { server, tools: seen.map(({ tool, id }) => ({ tool, id })) });
  return (
    <section>
      <div class="card-head">
        <h3>{t('changesTitle')}</h3>
        <ActionButton kind="primary" isHeld={changes.some(isHidden)} action={() => approve(changes)}>
          {t('approveAll')}
        </ActionButton>
      </div>
      {changes.map((change) => (
        <div key={change.id} class="well">
          <div class="card-head">
            <strong>{reviewText(change.tool)}</strong>
            <ActionButton
              label={`${t('approve')} ${change.tool}`}
              isHeld={isHidden(change)}
              action={() => approve([change])}
            >
              {t('approve')}
            </ActionButton>
          </div>
          <ReviewBox
            id={change.id}
            kind="diff"
            showAll={t('changeAll', { tool: change.tool })}
            onShown={keep(change.id)}
          >
            {change.diff.split('\n').map((line, index) => (
              <span key={index} class={classOf(line)}>
                {`${reviewText(line)}\n`}
              </span>
            ))}
          </ReviewBox>
        </div>
      ))}
    </section>
  );
}

function classOf(line: string): string {
  const [sign] = line.trimStart();
  return sign === '+' ? 'diff-new' : sign === '-' ? 'diff-old' : '';
}
