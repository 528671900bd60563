import { symlinkSync } from 'node:fs';
import type { GateAnswer, PendingServer } from '@a2c/config';
import { verifies } from '@a2c/requirements';
import { expect, vi } from 'vitest';
import { loadStartFiles } from '../src/computer/start-options.js';
import { Workplace, workshop } from './a2c.js';

const prompt = (id: string, more: object = {}) => ({ id, type: 'promptString', description: 'd', ...more });
const using = (name: string, id: string) => workshop(name, {}, { VALUE: `\${input:${id}}` });

/** Loads what a Computer in this place starts. A person answers each question with the answer for the server. */
async function started(place: Workplace, answers: Readonly<Record<string, GateAnswer>> = {}, more: object = {}) {
  vi.stubEnv('A2C_HOME', place.home);
  const messages: string[] = [];
  const asked: string[] = [];
  const ask = async (pending: readonly PendingServer[]) => {
    const names = pending.map(({ server }) => server.name).join('+');
    asked.push(names);
    return answers[names];
  };
  const defaults = { name: 'x', autoConnect: true, autoReconnect: true, confirm: 'ask', pins: 'off', color: false };
  const options = { ...defaults, root: place.folder, skills: place.path('skills'), ...more };
  const files = await loadStartFiles(options as never, (message) => void messages.push(message), ask);
  return { on: files.servers.map(({ name }) => name), inputs: files.inputs.map(({ id }) => id), messages, asked };
}

verifies('MEM-SCOPE-04', 'a server of a project gets no value of an input of the user with the same id', async () => {
  const place = new Workplace({
    '~/config/mcp.json': { inputs: [prompt('token', { password: true })], servers: { mine: using('mine', 'token') } },
    '.tfrobot/mcp.json': {
      inputs: [prompt('token', { default: 'nick' })],
      servers: { theirs: using('theirs', 'token') },
    },
  });
  place.write('settings.json', { disabledMcpjsonServers: ['mine'] });
  const lines = ['tc environment name=VALUE', 'inputs list'];
  const args = ['--approve-all-mcp', '--settings', 'settings.json'];
  const theirs = await place.replies(lines, args, { A2C_SMCP_TOKEN: 'MY-SECRET' });
  expect(JSON.stringify(theirs.replies[0])).toContain('nick');
  expect(JSON.stringify(theirs.replies)).not.toContain('MY-SECRET');
  expect(JSON.stringify(theirs.replies[1])).toMatch(/"id":"token".*"id":"project\/token"/);
});

verifies(
  'MEM-SCOPE-04',
  'an input of the user needs an answer of its own, also after "all of this project"',
  async () => {
    const servers = { first: workshop('first'), plain: workshop('plain'), uses: using('uses', 'token') };
    const place = new Workplace({
      '.tfrobot/mcp.json': { servers },
      'inputs.json': [prompt('token')],
    });
    const silent = await started(place);
    expect(silent.messages.filter((message) => message.includes('inputs that are yours'))).toEqual([
      expect.stringMatching(/^the MCP server "uses" of /),
    ]);
    const first = await started(place, { first: 'all', plain: 'yes' }, { inputs: 'inputs.json' });
    expect([first.asked, first.on]).toEqual([
      ['first', 'plain', 'uses'],
      ['first', 'plain'],
    ]);
    const second = await started(place, { uses: 'yes' }, { inputs: 'inputs.json' });
    expect([second.asked, second.on, second.inputs]).toEqual([['uses'], ['first', 'plain', 'uses'], ['token']]);
  },
);

verifies('MEM-GATE-05', 'the defaults of inputs count to the limit of a question', async () => {
  const inputs = ['a', 'b'].map((id) => prompt(id, { default: id.repeat(4_500) }));
  const server = workshop('long', {}, { A: '${input:a}', B: '${input:b}' });
  const { asked, messages } = await started(
    new Workplace({ '.tfrobot/mcp.json': { inputs, servers: { long: server } } }),
  );
  expect([asked, messages.join()]).toEqual([[], expect.stringMatching(/it has 9\d\d\d characters, too many/)]);
});

verifies('MEM-SCOPE-03', 'a link in place of the local settings does not keep a Computer from starting', async () => {
  const place = new Workplace({
    '~/config/mcp.json': { servers: { mine: workshop('mine') } },
    '.tfrobot/mcp.json': { servers: { theirs: workshop('theirs') } },
  });
  symlinkSync(place.path('elsewhere'), place.path('.tfrobot/settings.local.json'));
  const { on, messages } = await started(place, { theirs: 'yes' });
  expect(on).toEqual(['mine']);
  expect(messages).toEqual([
    expect.stringMatching(/settings\.local\.json are not valid: is a symbolic link.*; they are ignored$/),
    expect.stringMatching(/^your answer cannot be recorded, .*symbolic link/),
  ]);
});

verifies('MEM-PLUGIN-07', 'a project does not switch on a plugin that the user switched off', async () => {
  const place = new Workplace({
    '~/config/settings.json': { enabledPlugins: { 'p@m': false } },
    '.tfrobot/settings.json': { enabledPlugins: { 'p@m': true } },
  });
  const { stderr } = await place.replies(['status']);
  expect(stderr).toMatch(/the plugin "p@m" stays off, as in your settings; switch it on: npx a2c plugin enable p@m/);
  expect(stderr).not.toContain('are left out');
});

verifies('NEW-IMPORT-09', 'the list shows other addresses and environments of the servers of a project', async () => {
  const place = new Workplace({
    '~/.cursor/mcp.json': { mcpServers: { web: { url: 'https://a.example/mcp' }, run: { command: 'x' } } },
    '.mcp.json': {
      mcpServers: {
        web: { http_url: 'https://a.example/mcp', sse_url: 'https://b.example/', pins: 'off' },
        run: { command: 'x', inherit_env: true },
      },
    },
  });
  const { stdout } = await place.a2c('config', 'import');
  expect(stdout.split('\n').slice(0, 7)).toEqual([
    'web              streamable_http https://a.example/mcp  (Cursor)',
    'run              stdio x  (Cursor)',
    'web-claude-code  streamable_http https://a.example/mcp  (Claude Code)',
    '  and https://b.example/',
    '  with pins off',
    'run-claude-code  stdio x  (Claude Code)',
    '  with all your environment variables',
  ]);
});
