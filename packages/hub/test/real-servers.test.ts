import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { describe, expect, inject, onTestFinished } from 'vitest';
import { hub, jsonOf, script, server, textOf, tools } from './hub.js';
import { serving } from './serving.js';
import { json, said, serve } from './transports/http-server.js';

const EVERYTHING = join(inject('commands'), 'everything.js');
const FILESYSTEM = join(inject('commands'), 'filesystem.js');

const TRANSPORTS = ['stdio', 'streamable', 'sse'] as const;
type Way = (typeof TRANSPORTS)[number];

/** A program that speaks stdio, as a server of our configuration over any transport. */
async function over(way: Way, name: string, argv: readonly [string, ...string[]]) {
  const [file, ...args] = argv;
  if (way === 'stdio') return server(name, { server_parameters: { command: process.execPath, args: [file, ...args] } });
  const url = await serving(script('bridge.mjs'), way, process.execPath, file, ...args);
  return server(name, { type: way, server_parameters: { url } });
}

async function folder(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'a2c-files-')));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

describe.each(TRANSPORTS)('over %s', (way) => {
  verifies('HUB-MCP-06', 'server-everything: tools, progress, resources, prompts, images', async () => {
    const manager = await hub([await over(way, 'everything', [EVERYTHING, 'stdio'])]);
    expect(manager.status()).toMatchObject([{ state: 'connected', cause: null, era: 'legacy' }]);
    expect(textOf(await manager.executeTool('get-sum', { a: 2, b: 3 }))).toBe('The sum of 2 and 3 is 5.');
    const image = await manager.executeTool('get-tiny-image', {});
    expect(image.content).toContainEqual(expect.objectContaining({ type: 'image', mimeType: 'image/png' }));
    const steps: unknown[] = [];
    const long = { duration: 0.2, steps: 2 };
    await manager.executeTool('trigger-long-running-operation', long, { onProgress: (step) => steps.push(step) });
    expect(steps).toMatchObject([{ progress: 1 }, { progress: 2 }]);
    const structured = await manager.executeTool('get-structured-content', { location: 'Chicago' });
    expect(structured.structuredContent).toMatchObject({ conditions: expect.any(String) });
    const [resource] = await manager.listResources('everything');
    expect(await manager.readResource('everything', resource?.uri as string)).toHaveProperty('contents');
    expect((await manager.listPrompts('everything')).length).toBeGreaterThan(0);
    const annotated = await Promise.all(
      Array.from({ length: 20 }, (_, index) => manager.executeTool('echo', { message: String(index) })),
    );
    expect(annotated.map(textOf)).toEqual(Array.from({ length: 20 }, (_, index) => `Echo: ${index}`));
  });

  verifies('HUB-MCP-06', 'server-filesystem: reads and writes inside its folder only', async () => {
    const files = await folder();
    await writeFile(join(files, 'a.txt'), 'käse');
    const manager = await hub([await over(way, 'files', [FILESYSTEM, files])]);
    expect(textOf(await manager.executeTool('read_text_file', { path: join(files, 'a.txt') }))).toBe('käse');
    await manager.executeTool('write_file', { path: join(files, 'b.txt'), content: 'x' });
    expect(textOf(await manager.executeTool('list_directory', { path: files }))).toContain('b.txt');
    const outside = await manager.executeTool('read_text_file', { path: '/etc/hostname' });
    expect(outside).toMatchObject({ isError: true });
  });
});

describe('both generations', () => {
  verifies(['HUB-MCP-06', 'HUB-MCP-07'], 'over stdio, on the one process that is started', async () => {
    const manager = await hub([
      server('both', { server_parameters: { command: process.execPath, args: [script('sdk.mjs')] } }),
    ]);
    expect(manager.status()).toMatchObject([
      { state: 'connected', era: 'modern', protocolVersion: '2026-07-28', restarts: 0 },
    ]);
    expect(textOf(await manager.executeTool('echo', { text: 'new' }))).toBe('new');
  });

  verifies('HUB-MCP-06', 'over streamable HTTP', async () => {
    const url = await serving(script('sdk.mjs'), 'http');
    const old = await serving(script('sdk.mjs'), 'legacy-http');
    const rename = (alias: string) => ({ tool_meta: { echo: { alias } } });
    const manager = await hub([
      server('new', { type: 'streamable', server_parameters: { url }, ...rename('new_echo') }),
      server('old', { type: 'streamable', server_parameters: { url: old }, ...rename('old_echo') }),
    ]);
    expect(manager.status().map(({ era, state }) => [era, state])).toEqual([
      ['modern', 'connected'],
      ['legacy', 'connected'],
    ]);
    expect(textOf(await manager.executeTool('new_echo', { text: '1' }))).toBe('1');
    expect(textOf(await manager.executeTool('old_echo', { text: '2' }))).toBe('2');
  });

  verifies(
    'HUB-MCP-07',
    'a server that exits during the negotiation is started again in the legacy generation',
    async () => {
      const run = (...behaviour: string[]) => ({
        server_parameters: { command: process.execPath, args: [script('odd.mjs'), ...behaviour] },
      });
      const manager = await hub([server('ends', run('no-discover'))]);
      expect(manager.status()).toMatchObject([{ state: 'connected', era: 'legacy' }]);
      const mute = await hub([server('mute', run('mute-discover'))], { limits: { probeTimeoutMs: 100 } });
      expect(mute.status()).toMatchObject([{ state: 'connected', era: 'legacy' }]);
    },
  );
});

verifies('HUB-BACK-05', 'a lost session is renewed once for all calls, and each call is repeated', async () => {
  const url = await serving(script('bridge.mjs'), 'streamable', process.execPath, script('workshop.mjs'));
  const manager = await hub([server('w', { type: 'streamable', server_parameters: { url } })]);
  await manager.executeTool('echo', { message: 'before' });
  await fetch(`${url}forget`);
  const after = await Promise.all(
    Array.from({ length: 10 }, (_, index) => manager.executeTool('echo', { message: String(index) })),
  );
  expect(after.map(textOf)).toEqual(Array.from({ length: 10 }, (_, index) => String(index)));
  expect(manager.status()).toMatchObject([{ state: 'connected', restarts: 1 }]);
  const counts = jsonOf(await manager.executeTool('counts', {}));
  expect(counts).toMatchObject({ initialize: 1, 'tools/call': 11 });
});

verifies('HUB-BACK-05', 'a call that HTTP 404 answers is not repeated, and the session is renewed', async () => {
  const sessionLost = { code: -32_001, message: 'Session not found' };
  const ids: ((id: unknown) => unknown)[] = [(id) => id, String, () => null, () => ''];
  for (const [index, idOf] of ids.entries()) {
    let calls = 0;
    const { url, seen } = await serve({
      session: 's1',
      onCall: (response, message) => {
        if (message.method === 'tools/list')
          return json(response, message, { tools: [{ name: 'pay', inputSchema: {} }] });
        if (message.method === 'tools/call' && ++calls > 1) return json(response, message, said('paid'));
        const error = JSON.stringify({ jsonrpc: '2.0', id: idOf(message.id), error: sessionLost });
        response.writeHead(404, { 'content-type': 'application/json' }).end(error);
      },
    });
    const manager = await hub([server('bank', { type: 'streamable', server_parameters: { url } })]);
    const first = await manager.executeTool('pay', {}).catch(({ kind }) => kind);
    const isAnswered = index < 2;
    expect([index, calls]).toEqual([index, isAnswered ? 1 : 2]);
    if (isAnswered) expect(first).toBe('upstream');
    else expect(textOf(first)).toBe('paid');
    expect(textOf(await manager.executeTool('pay', {}))).toBe('paid');
    expect(seen.filter(({ rpc }) => rpc === 'initialize')).toHaveLength(2);
  }
});

verifies('HUB-MCP-06', 'one manager has servers of every transport', async () => {
  const manager = await hub([
    await over('stdio', 'a', [script('workshop.mjs')]),
    { ...(await over('sse', 'b', [FILESYSTEM, await folder()])) },
    { ...(await over('streamable', 'c', [EVERYTHING, 'stdio'])) },
    server('d', tools('only')),
  ]);
  expect(manager.status().map(({ name, transport, state }) => [name, transport, state])).toEqual([
    ['a', 'stdio', 'connected'],
    ['b', 'sse', 'connected'],
    ['c', 'streamable_http', 'connected'],
    ['d', 'stdio', 'connected'],
  ]);
});
