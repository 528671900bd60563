import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  describeStart,
  environmentNames,
  InputResolver,
  recordAnswer,
  resolveServer,
  type ScopeServers,
  scopedSettings,
  scopeServers,
  TrustStore,
} from '@a2c/config';
import { verifies } from '@a2c/requirements';
import { afterEach, beforeEach, expect, vi } from 'vitest';

let root: string;
const path = (name: string) => join(root, name);
const options = () => ({ root, file: path('user.json'), policy: path('policy'), store: new TrustStore(path('trust')) });
const scoped = async (more: object = {}) =>
  scopeServers({ ...options(), settings: await scopedSettings(options()), ...more });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'a2c-project-inputs-'));
  vi.stubEnv('A2C_HOME', path('home'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(name: string, value: object): void {
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), JSON.stringify(value));
}

const prompt = (id: string, more: object = {}) => ({ id, type: 'promptString', description: 'd', ...more });
const run = (...args: string[]) => ({ type: 'stdio', server_parameters: { command: 'sh', args } });

/** The arguments of each server as it starts, with values from the environment. */
async function started({ servers, inputs, projectInputs }: ScopeServers, env: Readonly<Record<string, string>>) {
  const resolver = new InputResolver([...inputs, ...projectInputs], { env });
  const entries = servers.map(async (server) => {
    const { transport } = await resolveServer(server, { trusted: true, root, inputs: resolver });
    return [server.name, 'argv' in transport ? transport.argv.slice(1).join(' ') : ''];
  });
  return Object.fromEntries(await Promise.all(entries));
}

verifies('MEM-GATE-06', 'defaults and options of inputs are shown, wherever a server refers to them', async () => {
  const pick = { id: 'pick', type: 'pickString', description: 'd', options: ['a b', { label: 'safe', value: 'rm' }] };
  const inputs = [
    prompt('mode', { default: 'touch PWNED\n' }),
    prompt('secret', { default: 'evil', password: true }),
    { ...pick, default: 'rm' },
    prompt('asked'),
    prompt('unused', { default: 'x' }),
  ];
  const text = (id: string) => `\${input:${id}}`;
  const shown = async (server: object) => {
    write('.tfrobot/mcp.json', { servers: { one: server }, inputs });
    const [pending] = (await scoped()).pending;
    return pending ? describeStart(pending.server, pending.inputs).filter((line) => line.includes(' input ')) : [];
  };
  const mode = String.raw`with the input "project/mode", by default "touch PWNED\n"`;
  const secret = 'with the input "project/secret", by default evil';
  expect(await shown(run('-c', text('mode'), text('mode'), text('asked'), text('pick')))).toEqual([
    mode,
    'with the input "project/pick", one of "a b" safe=rm, by default rm',
  ]);
  const stdio = { command: 'x', env: { A: text('secret') }, cwd: text('mode'), sandbox: { read: [text('pick')] } };
  expect(await shown({ type: 'stdio', server_parameters: stdio })).toHaveLength(3);
  const web = { url: `https://a.example/${text('mode')}`, headers: { h: text('secret') } };
  expect(await shown({ type: 'streamable', server_parameters: web })).toEqual([mode, secret]);
  const login = { url: 'https://a.example/', oauth: { client_id: text('secret') } };
  expect(await shown({ type: 'streamable', server_parameters: login })).toEqual([secret]);
  const meta = { tool_meta: { t: { deep: [{ er: text('secret') }] } }, vrl: text('mode') };
  expect((await shown({ ...run(), ...meta })).toSorted()).toEqual([mode, secret].toSorted());
});

verifies('MEM-SCOPE-04', 'an input of a project has no value of the user, and needs an approval', async () => {
  const command = (id: string) => ({ id, type: 'command', description: 'd', command: 'touch pwned' });
  write('home/config/mcp.json', { servers: { mine: run('${input:token}') }, inputs: [prompt('token')] });
  write('.tfrobot/mcp.json', {
    servers: { theirs: run('${input:token}') },
    inputs: [prompt('token', { default: 'nick' }), command('other')],
  });
  write('.tfrobot/mcp.local.json', { servers: { local: run('${input:token}') }, inputs: [prompt('token')] });
  expect((await scoped()).projectInputs).toEqual([]);
  const all = await scoped({ approveAll: true });
  expect(all.inputs.map(({ id }) => id)).toEqual(['token']);
  expect(all.projectInputs.map(({ id }) => id)).toEqual(['project/token', 'local/token']);
  const env = { A2C_SMCP_TOKEN: 'SECRET', A2C_SMCP_LOCAL_TOKEN: 'here' };
  expect(await started(all, env)).toEqual({ mine: 'SECRET', theirs: 'nick', local: 'here' });
});

verifies('MEM-SCOPE-04', 'an input of a project has no environment variable of another input', async () => {
  write('home/config/mcp.json', { servers: {}, inputs: [prompt('PROJECT_TOKEN')] });
  write('.tfrobot/mcp.json', { servers: { theirs: run('${input:token}') }, inputs: [prompt('token')] });
  // As `save` of another project writes it.
  const named = { servers: [], inputs: [prompt('project-2/token')] };
  const { inputs, projectInputs } = await scoped({ approveAll: true, named });
  expect(projectInputs).toMatchObject([{ id: 'project-3/token' }]);
  const variables = [...inputs, ...projectInputs].map(({ id }) => environmentNames(id).at(-1));
  expect(new Set(variables).size).toBe(2);
});

verifies('MEM-SCOPE-04', 'an input of the user needs an answer to a question that names it', async () => {
  const { store } = options();
  write('home/config/mcp.json', { servers: {}, inputs: [prompt('token')] });
  write('.tfrobot/mcp.json', {
    servers: { uses: run('${input:token}'), plain: run('a'), forged: run('${input:local/token}') },
  });
  write('.tfrobot/mcp.local.json', { servers: { local: run('${input:token}') }, inputs: [prompt('token')] });
  const on = async (more: object = {}) => (await scoped(more)).servers.map(({ name }) => name);
  const { pending, content } = await scoped();
  expect(pending.map(({ bundleId, usesYours }) => [bundleId, usesYours])).toEqual([
    ['uses', true],
    ['plain', false],
    ['forged', true],
    ['local', false],
  ]);
  expect(pending.flatMap((each) => describeStart(each.server, each.inputs).slice(1))).toEqual([
    'with your input "token"',
    'with your input "local/token"',
  ]);
  // Names and "all" approve what was not shown.
  write('user.json', { enableAllProjectMcpServers: true, enabledMcpjsonServers: ['uses'] });
  expect(await on()).toEqual(['plain', 'local']);
  const [uses, plain] = pending;
  if (!uses || !plain) throw new Error('expected two servers');
  await recordAnswer(root, { ...plain, content }, 'all', { store });
  expect(await on()).toEqual(['plain', 'local']);
  await recordAnswer(root, { ...uses, content }, 'yes', { store });
  expect(await on()).toEqual(['uses', 'plain', 'local']);
  expect(await on({ approveAll: true })).toEqual(['uses', 'plain', 'forged', 'local']);
});

verifies('MEM-PLUGIN-07', 'a project cannot switch on a plugin that the user switched off', async () => {
  write('user.json', { enabledPlugins: { 'off@m': false, 'on@m': true } });
  write('.tfrobot/settings.json', { enabledPlugins: { 'off@m': true, 'on@m': false, 'new@m': true } });
  const { enabledPlugins, warnings } = await scopedSettings(options());
  expect(enabledPlugins).toEqual({ 'off@m': false, 'on@m': false, 'new@m': true });
  expect(warnings).toEqual([
    expect.stringMatching(/settings\.json: the plugin "off@m" stays off, .*plugin enable off@m$/),
  ]);
  write('flag.json', { enabledPlugins: { 'off@m': true } });
  const flagged = await scopedSettings({ ...options(), flag: path('flag.json') });
  expect(flagged.enabledPlugins['off@m']).toBe(true);
});
