import { computed } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { CopyButton } from '../parts/basics.js';
import { CallItem } from '../parts/call-item.js';
import { Icon, type IconName } from '../parts/icons.js';
import { request } from '../state/request.js';
import { runs } from '../state/runs.js';
import { areStepsHidden } from '../state/settings.js';
import { calls, computer, lists, offers, toolCount, toolsRevision } from '../state/store.js';
import { t } from '../state/texts.js';

/** What a2c is, what to do first, and what needs attention. */
export function OverviewView() {
  const recent = calls.value.slice(0, 5);
  return (
    <>
      <header class="view-header">
        <div>
          <h1>{t('tagline')}</h1>
          <p class="lead">{t('overviewLead')}</p>
        </div>
      </header>
      <Path />
      {offers.value.has('tools') && !areStepsHidden.value && <Steps />}
      <div class="columns">
        <section class="card">
          <h2>{t('attention')}</h2>
          <Attention />
        </section>
        <section class="card">
          <div class="card-head">
            <h2>{t('recentCalls')}</h2>
            <a href="#/calls">{t('showAll')}</a>
          </div>
          {recent.length === 0 ? (
            <p class="muted">{t('noCallsYet')}</p>
          ) : (
            <ul class="plain">
              {recent.map((row) => (
                <li key={row.id}>
                  <CallItem row={row} href={`#/calls/${encodeURIComponent(row.id)}`} />
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
    </>
  );
}

const agents = computed(() => lists.members.items.value.filter(({ role }) => role === 'agent'));

/** The way of a call through a2c, with what is there now. */
function Path() {
  const members = lists.members.items.value;
  const servers = lists.servers.items.value;
  const ready = servers.filter(({ state }) => state === 'ready').length;
  const hasServer = offers.value.has('offices');
  const hasComputer = offers.value.has('servers');
  const { name, office } = computer.value ?? {};
  const computers = members.filter(({ role }) => role === 'computer');
  const serverText = hasServer ? t('countMembers', { count: members.length }) : (office ?? t('notConnected'));
  const computerText = hasComputer ? (name ?? '') : computers.map((each) => each.name).join(', ') || t('noneYet');
  const hadAgents = lists.movements.items.value.some(({ role }) => role === 'agent');
  const agentsText = agents.value.map((each) => each.name).join(', ') || t(hadAgents ? 'noneNow' : 'noneYet');
  return (
    <ol class="path">
      <Stop icon="agent" title={t('pathAgents')} text={t('pathAgentsText')} href={hasServer ? '#/offices' : undefined}>
        {hasServer ? agentsText : '…'}
      </Stop>
      <Stop icon="server" title={t('pathServer')} text={t('pathServerText')} href={hasServer ? '#/offices' : undefined}>
        {serverText}
      </Stop>
      <Stop
        icon="computer"
        title={t('pathComputer')}
        text={t('pathComputerText')}
        href={hasComputer ? '#/computer' : undefined}
      >
        {computerText}
      </Stop>
      <Stop icon="plug" title={t('pathServers')} text={t('pathServersText')} href={hasComputer ? '#/tools' : undefined}>
        {hasComputer
          ? `${t('countReady', { ready, all: servers.length })} · ${t('countTools', { count: toolCount.value })}`
          : '…'}
      </Stop>
    </ol>
  );
}

function Stop(props: {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly href: string | undefined;
  readonly children: string;
}) {
  const content = (
    <>
      <Icon name={props.icon} />
      <span class="stop-title">{props.title}</span>
      <span class="stop-now">{props.children}</span>
      <span class="stop-text">{props.text}</span>
    </>
  );
  return <li class="stop">{props.href === undefined ? <div>{content}</div> : <a href={props.href}>{content}</a>}</li>;
}

/** Three things to try. Each is ticked when it has happened. */
function Steps() {
  const [command, setCommand] = useState('');
  useEffect(() => {
    void exampleCommand().then(setCommand, () => setCommand(''));
  }, [toolsRevision.value, computer.value?.office]);
  const hasRun = runs.value.length > 0;
  const hasAgentCall = calls.value.some(
    ({ relayed, executed }) => (relayed?.agent ?? executed?.agent ?? null) !== null,
  );
  const hasOwn = lists.servers.items.value.some(({ name }) => name !== 'demo');
  return (
    <section class="card steps" aria-labelledby="steps-title">
      <div class="card-head">
        <h2 id="steps-title">{t('stepsTitle')}</h2>
        <button type="button" class="quiet" onClick={() => (areStepsHidden.value = true)}>
          {t('stepsHide')}
        </button>
      </div>
      <ol>
        <Step isDone={hasRun} title={t('step1')} text={t('step1Text')} href="#/tools" link={t('step1Link')} />
        <Step isDone={hasAgentCall} title={t('step2')} text={t('step2Text')} href="#/calls" link={t('step2Link')}>
          {command && (
            <div class="command">
              <code>{wholeWords(command)}</code>
              <CopyButton text={() => command} />
            </div>
          )}
        </Step>
        <Step isDone={hasOwn} title={t('step3')} text={t('step3Text')} href="#/computer/add" link={t('step3Link')} />
      </ol>
    </section>
  );
}

function Step(props: {
  readonly isDone: boolean;
  readonly title: string;
  readonly text: string;
  readonly href: string;
  readonly link: string;
  readonly children?: preact.ComponentChildren;
}) {
  return (
    <li class={props.isDone ? 'step step-done' : 'step'}>
      <h3>
        {props.title}
        {props.isDone && (
          <span class="tick">
            <Icon name="check" />
            <span class="visually-hidden">{t('done')}</span>
          </span>
        )}
      </h3>
      <p>{props.text}</p>
      {props.children}
      <a href={props.href}>{props.link}</a>
    </li>
  );
}

/** A line breaks between the words, not after the dashes of an option. */
function wholeWords(command: string) {
  return command.split(' ').map((word, index) => [index > 0 && ' ', <span key={index}>{word}</span>]);
}

/**
 * A call from a shell, of a tool that takes no arguments: preferably one that asks for consent, which the step
 * describes, and of these one that only reads.
 */
async function exampleCommand(): Promise<string> {
  const { tools } = await request('tools', {});
  let found = { command: '', rank: -1 };
  for (const { server, name, hints } of tools.slice(0, 10)) {
    const { inputSchema, copy, autoApply } = await request('tool', { server, tool: name });
    const { required = [] } = inputSchema as { readonly required?: readonly string[] };
    if (required.length > 0) continue;
    const command = copy.shell.replace(/ '?ARGUMENTS'?/, '');
    const safety = hints.includes('readOnly') ? 2 : hints.includes('destructive') ? 0 : 1;
    const rank = (autoApply ? 0 : 3) + safety;
    if (rank > found.rank) found = { command, rank };
  }
  return found.command;
}

function Attention() {
  const items = [
    ...lists.inputs.items.value
      .filter(({ source, servers }) => source === 'missing' && servers.length > 0)
      .map(({ id }) => ({ text: t('missingInput', { id }), detail: '', href: '#/computer' })),
    ...lists.servers.items.value.flatMap(({ name, state, cause, login, changedTools = 0 }) => [
      ...(login?.state === 'needed'
        ? [{ text: t('needsLogin', { name }), detail: '', href: `#/computer/${name}` }]
        : []),
      ...(state === 'failed' && login?.state !== 'needed'
        ? [{ text: t('failedServer', { name }), detail: cause ?? '', href: `#/computer/${name}` }]
        : []),
      ...(changedTools > 0
        ? [{ text: t('changedTools', { name, count: changedTools }), detail: '', href: `#/computer/${name}` }]
        : []),
    ]),
  ];
  if (items.length === 0) return <p class="muted">{t('attentionNone')}</p>;
  return (
    <ul class="plain attention">
      {items.map(({ text, detail, href }) => (
        <li key={text}>
          <a href={href}>{text}</a>
          {detail && <p class="muted clamp">{detail}</p>}
        </li>
      ))}
    </ul>
  );
}
