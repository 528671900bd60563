import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { verifies } from '@a2c/requirements';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { type Host, stage } from './host.js';
import { LITERAL, SECRET, serverState, startOperatorHost } from './operator-host.js';

let host: Host;

beforeAll(async () => {
  host = await startOperatorHost();
});
afterAll(() => host.close());

verifies(['CON-ACCESS-05', 'CON-VIEW-03'], 'a secret input is set, used and never shown', async () => {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const { events } = await host.follow(controller.signal);
  await serverState(host, 'locked', 'failed');
  expect((await host.ask('servers')).inputs).toEqual([
    {
      id: 'token',
      type: 'promptString',
      description: 'A token',
      isSecret: true,
      source: 'missing',
      servers: ['locked'],
    },
  ]);
  await host.ask('set-input', { input: 'token', value: SECRET });
  await serverState(host, 'locked', 'ready');
  const call = { id: 'secret-1', server: 'locked', tool: 'locked.token', arguments: { expected: SECRET } };
  const { tools } = await host.ask('tools');
  const { name } = tools.find(
    (tool: { server: string; name: string }) => tool.server === 'locked' && tool.name.endsWith('token'),
  );
  expect((await host.ask('run-tool', { ...call, tool: name })).content[0].text).toBe('true');
  const id = JSON.stringify([null, '', 'secret-1']);
  const seen = [
    await host.ask('servers'),
    await host.ask('server?server=locked'),
    await host.ask('tools'),
    await host.ask(`call?id=${encodeURIComponent(id)}`),
    events,
  ];
  expect(seen[1].log).toContain('started with');
  expect(JSON.stringify(seen)).not.toContain(SECRET);
  expect((await host.ask('servers')).inputs[0]).toMatchObject({ source: 'set' });
  expect((await host.ask('servers')).inputs[0]).not.toHaveProperty('value');
});

verifies(['CON-ACCESS-05', 'CON-VIEW-03'], 'an edited configuration keeps its masked values', async () => {
  const { config } = await host.ask('server?server=literal');
  expect(config).toContain('********');
  expect(config).not.toContain(LITERAL);
  const edited = { ...JSON.parse(config), default_tool_meta: { auto_apply: true, tags: ['edited'] } };
  await host.ask('save-server', { server: 'literal', text: JSON.stringify(edited) });
  await serverState(host, 'literal', 'ready');
  const { tools } = await host.ask('tools');
  const { name } = tools.find(
    (tool: { server: string; name: string }) => tool.server === 'literal' && tool.name.endsWith('token'),
  );
  const call = { id: 'literal-1', server: 'literal', tool: name, arguments: { expected: LITERAL } };
  expect((await host.ask('run-tool', call)).content[0].text).toBe('true');
  const refused = await host.request('save-server', { server: 'literal', text: '{"name": 1}' });
  expect([refused.status, ((await refused.json()) as { message: string }).message]).toEqual([
    400,
    expect.stringContaining('name'),
  ]);
});

verifies(['CON-ACCESS-05', 'CON-VIEW-03'], 'a masked value that was moved or changed is refused', async () => {
  const [token, key] = ['args-secret-4711', 'other-secret-0815'];
  const args = ['-e', '', '--token', token, '--key', key, '--mode', 'fast'];
  const local = { name: 'local', type: 'stdio', disabled: true, server_parameters: { command: 'node', args } };
  const url = 'https://example.com/mcp?key=query-secret-1';
  const remote = { name: 'remote', type: 'streamable', disabled: true, server_parameters: { url } };
  await host.ask('save-server', { text: JSON.stringify([local, remote]) });
  const configOf = async (server: string) => JSON.parse((await host.ask(`server?server=${server}`)).config);
  const shown = await configOf('local');
  const MASK = '********';
  const save = async (server: string, config: object) => {
    const response = await host.request('save-server', { server, text: JSON.stringify(config) });
    return [response.status, ((await response.json()) as { message?: string }).message];
  };
  const withArgs = (given: readonly string[]) => ({ ...shown, server_parameters: { command: 'node', args: given } });
  const masked = ['-e', '', '--token', MASK, '--key', MASK, '--mode', 'fast'];
  expect(shown.server_parameters.args).toEqual(masked);
  const refused = [400, expect.stringContaining('enter the secret again')];
  // Another option before it, an option more, another order, a part that was changed, another key.
  for (const given of [
    masked.with(2, '--name'),
    [...masked.slice(0, 2), '--fast', ...masked.slice(2)],
    masked.slice(2),
    ['-e', '', '--key', MASK, '--token', MASK, '--mode', 'fast'],
    masked.with(3, `${MASK}x`),
  ])
    expect(await save('local', withArgs(given))).toEqual(refused);
  expect(await save('local', { ...withArgs(masked), description: MASK })).toEqual(refused);
  const config = await configOf('remote');
  expect(config.server_parameters.url).toBe(`https://example.com/mcp?key=${MASK}`);
  const moved = { ...config.server_parameters, url: `https://example.org/mcp?key=${MASK}` };
  expect(await save('remote', { ...config, server_parameters: moved })).toEqual(refused);
  // The rest can be edited, and a secret can be replaced.
  expect((await save('local', { ...shown, forbidden_tools: ['a'] }))[0]).toBe(200);
  expect((await save('local', withArgs(masked.with(3, 'new').with(5, 'newer').with(7, 'slow'))))[0]).toBe(200);
  expect((await configOf('local')).server_parameters.args).toEqual(masked.with(7, 'slow'));
  for (const server of ['local', 'remote']) await host.ask('remove-server', { server });
});

verifies('CON-ACCESS-05', 'a masked value is not sent to another program or address', async () => {
  const env = { TOKEN: 'env-secret-4711' };
  const local = { name: 'l', type: 'stdio', disabled: true, server_parameters: { command: 'a', args: ['b'], env } };
  const headers = { Authorization: 'Bearer header-secret-1' };
  const url = 'https://example.com/mcp';
  const remote = { name: 'r', type: 'streamable', disabled: true, server_parameters: { url, headers } };
  await host.ask('save-server', { text: JSON.stringify([local, remote]) });
  onTestFinished(async () => {
    for (const server of ['l', 'r']) await host.ask('remove-server', { server });
  });
  const save = async (server: string, change: object) => {
    const shown = JSON.parse((await host.ask(`server?server=${server}`)).config);
    const config = { ...shown, server_parameters: { ...shown.server_parameters, ...change } };
    const response = await host.request('save-server', { server, text: JSON.stringify(config) });
    return [response.status, ((await response.json()) as { message?: string }).message];
  };
  const refused = (place: string) => [
    400,
    'the program, the address, or a variable or header that decides about them has changed; ' +
      `it must not receive secrets that were entered for another: enter these values again: server_parameters.${place}`,
  ];
  expect(await save('l', { command: 'evil' })).toEqual(refused('env.TOKEN'));
  expect(await save('l', { args: ['evil'] })).toEqual(refused('env.TOKEN'));
  expect(await save('r', { url: 'https://example.com.evil.example/mcp' })).toEqual(refused('headers.Authorization'));
  expect(await save('r', { url: 'http://example.com/mcp' })).toEqual(refused('headers.Authorization'));
  for (const name of ['PATH', 'NODE_OPTIONS', 'LD_PRELOAD', 'PYTHONPATH', 'HTTPS_PROXY', 'API_BASE_URL']) {
    expect(await save('l', { env: { TOKEN: '********', [name]: '/evil' } })).toEqual(refused('env.TOKEN'));
  }
  const withHost = { headers: { Authorization: 'Bearer ********', host: 'evil.example' } };
  expect(await save('r', withHost)).toEqual(refused('headers.Authorization'));
  expect((await save('l', { env: { TOKEN: '********', LOG_LEVEL: 'debug' } }))[0]).toBe(200);
  expect((await save('r', { url: 'https://example.com/mcp/v2' }))[0]).toBe(200);
  expect((await save('l', { command: 'other', env: { TOKEN: 'for-the-other' } }))[0]).toBe(200);
  // In a new server, a mask is a mistake.
  for (const mask of [{ args: ['********'] }, { env: { TOKEN: '********' } }]) {
    const server = { mcpServers: { copied: { command: 'a', ...mask } } };
    const answer = await host.request('save-server', { text: JSON.stringify(server) });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ message: expect.stringContaining('enter the secret instead') });
  }
});

verifies('CON-ACCESS-05', 'secrets in arguments and addresses do not reach errors and logs', async () => {
  const code = 'console.error("I was started with", ...process.argv.slice(1)); process.exit(1)';
  const args = [
    '-e',
    code,
    '--',
    '--api-key',
    'key-of-args-1',
    'https://user:hunter22pw@127.0.0.1/?token=in-address-9',
  ];
  const quoting = createServer(async (request, response) => {
    const { id } = (await new Response(Readable.toWeb(request) as never).json()) as { id: number };
    const error = { code: -32_000, message: `cannot serve ${request.url}` };
    const headers = { 'Content-Type': 'application/json' };
    response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id, error }));
  });
  await once(quoting.listen(0, '127.0.0.1'), 'listening');
  const { port } = quoting.address() as AddressInfo;
  const url = `http://user:remote-pw-77@127.0.0.1:${port}/mcp?apikey=in-query-55`;
  const entries = { broken: { command: process.execPath, args }, away: { url } };
  await host.ask('save-server', { text: JSON.stringify({ mcpServers: entries }) });
  onTestFinished(async () => {
    for (const server of ['broken', 'away']) await host.ask('remove-server', { server });
    quoting.close();
  });
  const seen = async (server: string) => JSON.stringify(await host.ask(`server?server=${server}`));
  await expect.poll(() => seen('broken'), { timeout: 60_000 }).toContain('I was started with');
  await expect.poll(() => seen('away'), { timeout: 60_000 }).toContain('cannot serve');
  const all = (await seen('broken')) + (await seen('away')) + JSON.stringify(await host.ask('servers'));
  for (const secret of ['key-of-args-1', 'hunter22pw', 'in-address-9', 'remote-pw-77', 'in-query-55']) {
    expect(all).not.toContain(secret);
  }
});

verifies('CON-ACCESS-05', 'a secret that a program writes in pieces is never shown in part', async () => {
  const secret = 'piecewise-4711-secret';
  const half = secret.slice(0, 12);
  const code = `process.stderr.write('early\\n'.repeat(2000) + ${JSON.stringify(`first line\ntoken ${half}`)});
    const timer = setInterval(() => {
      if (!require('fs').existsSync('rest')) return;
      clearInterval(timer);
      process.stderr.write(${JSON.stringify(`${secret.slice(12)}\n`)});
      import(process.argv[1]);
    }, 20);`;
  const { server_parameters } = stage() as { server_parameters: { command: string; args: string[] } };
  const { command, args } = server_parameters;
  const program = { command, args: ['-e', code, ...args], env: { TOKEN: secret }, cwd: host.home };
  const forbidden_tools = ['greet', 'token', 'script', 'media', 'rows', 'shape', 'count', 'long', 'crash', 'board'];
  const pieces = { name: 'pieces', type: 'stdio', forbidden_tools, server_parameters: program };
  const saved = host.request('save-server', { text: JSON.stringify(pieces) });
  const shown = async () => {
    const { config: _config, ...detail } = await host.ask('server?server=pieces');
    return JSON.stringify([await host.ask('servers'), detail]).replaceAll('early\\n', '');
  };
  await expect.poll(shown).toContain('"activity":"first line"');
  expect(await shown()).not.toContain(half);
  expect((await host.ask('server?server=pieces')).log).toMatch(/^(early\n)+first line\n$/);
  writeFileSync(join(host.home, 'rest'), '');
  expect(await (await saved).json()).toMatchObject({ servers: ['pieces'] });
  const { log } = await host.ask('server?server=pieces');
  expect(log).toMatch(/first line\ntoken \[redacted\]\nstarted with \[redacted\]\n$/);
  expect(await shown()).not.toContain(half);
  await host.ask('remove-server', { server: 'pieces' });
});

verifies('CON-ACCESS-05', 'a program that ends within a secret shows no part of it', async () => {
  const secret = 'unfinished-4711-secret';
  const half = secret.slice(0, 13);
  const args = ['-e', `process.stderr.write(${JSON.stringify(`cannot use ${half}`)}, () => process.exit(3))`];
  const program = { command: process.execPath, args, env: { TOKEN: secret } };
  const server = { name: 'ends', type: 'stdio', server_parameters: program };
  const saved = await host.request('save-server', { text: JSON.stringify(server) });
  const answer = await saved.text();
  await serverState(host, 'ends', 'failed');
  const { config: _config, ...detail } = await host.ask('server?server=ends');
  expect(detail.cause).toContain('last line of stderr: cannot use [redacted]');
  expect(detail.log).toContain('cannot use [redacted]');
  expect(answer + JSON.stringify([detail, await host.ask('servers')])).not.toContain(half);
  await host.ask('remove-server', { server: 'ends' });
});
