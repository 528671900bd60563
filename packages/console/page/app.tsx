import { effect } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { announce, LiveRegion, Separator } from './parts/basics.js';
import { Consent } from './parts/consent.js';
import { Icon, type IconName } from './parts/icons.js';
import { AddOutcome } from './parts/server-editor.js';
import { logOut } from './state/connection.js';
import { type Language, language, route, type Theme, theme } from './state/settings.js';
import { calls, computer, connection, lists, offers, toolCount, version } from './state/store.js';
import { type TextKey, t } from './state/texts.js';
import { CallsView } from './views/calls.js';
import { ComputerView } from './views/computer.js';
import { ContextView } from './views/context.js';
import { DesktopView } from './views/desktop.js';
import { LoginView } from './views/login.js';
import { OfficesView } from './views/offices.js';
import { OverviewView } from './views/overview.js';
import { ToolsView } from './views/tools.js';

interface View {
  readonly name: IconName & ('overview' | 'offices' | 'calls' | 'computer' | 'tools' | 'desktop' | 'context');
  readonly page: ComponentType;
  /** The request that a host must answer for this view. */
  readonly needs?: Parameters<typeof offers.value.has>[0];
  readonly count?: () => number;
}

const VIEWS: readonly View[] = [
  { name: 'overview', page: OverviewView },
  { name: 'offices', page: OfficesView, needs: 'offices', count: () => lists.members.items.value.length },
  { name: 'calls', page: CallsView, needs: 'call', count: () => calls.value.length },
  { name: 'computer', page: ComputerView, needs: 'servers', count: () => lists.servers.items.value.length },
  { name: 'tools', page: ToolsView, needs: 'tools', count: () => toolCount.value },
  { name: 'desktop', page: DesktopView, needs: 'desktop' },
  { name: 'context', page: ContextView, needs: 'context' },
];

/** The whole page: navigation, questions, and the view of the route. */
export function App() {
  const shown = VIEWS.filter(({ needs }) => needs === undefined || offers.value.has(needs));
  const [name = ''] = route.value.split('/');
  const view = shown.find((each) => each.name === name) ?? (shown[0] as View);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${t(view.name)} · a2c`;
    // A screen reader starts to read the new view.
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
  }, [view.name, language.value]);
  if (connection.value === 'refused') return <LoginView />;
  const Page = view.page;
  return (
    <div class="app">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        {t('skip')}
      </button>
      <aside class="side">
        <Brand />
        <nav aria-label={t('navigation')}>
          <ul>
            {shown.map((each) => (
              <li key={each.name}>
                <a href={`#/${each.name}`} aria-current={each === view ? 'page' : undefined}>
                  <Icon name={each.name} />
                  <span class="nav-text">{t(each.name)}</span>
                  {each.count && each.count() > 0 && (
                    <>
                      <Separator />
                      <span class="nav-count" title={t(`count_${each.name}` as TextKey)}>
                        {each.count()}
                      </span>
                    </>
                  )}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <Settings />
      </aside>
      <main ref={main} id="main" tabIndex={-1}>
        <Consent />
        {connection.value === 'foreign' && <OtherProgram />}
        <AddOutcome />
        <Page />
      </main>
      <LiveRegion />
    </div>
  );
}

/** Only the user decides that a session without a proven host is over. */
function OtherProgram() {
  return (
    <section class="card outcome" role="alert">
      <p>
        <strong>{t('foreign')}</strong>
      </p>
      <p>{t('foreignText')}</p>
      <button type="button" onClick={() => void logOut()}>
        {t('forgetSession')}
      </button>
    </section>
  );
}

function Brand() {
  const state = connection.value;
  return (
    <div class="brand">
      <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
        <path d="M3 16h8m10 0h8" />
        <circle cx="16" cy="16" r="5" />
      </svg>
      <div>
        <span class="brand-name">a2c</span>
        <span class={`link link-${state}`} role="status">
          {state === 'open' ? (computer.value?.name ?? t('live')) : t(state === 'refused' ? 'connecting' : state)}
        </span>
      </div>
    </div>
  );
}

function Settings() {
  return (
    <div class="settings">
      <label>
        <span class="visually-hidden">{t('theme')}</span>
        <select value={theme.value} onChange={({ currentTarget }) => (theme.value = currentTarget.value as Theme)}>
          <option value="auto">{t('themeAuto')}</option>
          <option value="light">{t('themeLight')}</option>
          <option value="dark">{t('themeDark')}</option>
        </select>
      </label>
      <label>
        <span class="visually-hidden">{t('language')}</span>
        <select
          value={language.value}
          onChange={({ currentTarget }) => (language.value = currentTarget.value as Language)}
        >
          <option value="en">English</option>
          <option value="zh">中文</option>
        </select>
      </label>
      <button type="button" class="quiet" onClick={() => void logOut()}>
        {t('logOut')}
      </button>
      {version.value && <span class="version">{version.value}</span>}
    </div>
  );
}

/** Announces changed states of MCP servers to screen readers. */
const known = new Map<string, string>();
effect(() => {
  for (const { name, state } of lists.servers.items.value) {
    const before = known.get(name);
    known.set(name, state);
    if (before === undefined || before === state) continue;
    if (state === 'ready') announce(t('announceReady', { name }));
    if (state === 'failed') announce(t('announceFailed', { name }));
  }
});
effect(() => {
  if (connection.value === 'lost') announce(t('lost'));
});
