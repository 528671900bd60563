import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MCPProxy, type ToolboxServer } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { atEnd, DOORS, enter } from './doors.js';
import { MemoryToolbox } from './memory-toolbox.js';

const tool = (name: string, description: string) => ({ name, description, inputSchema: { type: 'object' } });
const SERVERS: readonly ToolboxServer[] = [
  {
    name: 'office',
    state: 'ready',
    tools: [tool('send_email', 'Sends an email'), tool('book_room', 'Books a room'), tool('print_page', 'Prints')],
  },
];

/** Subjects that the endpoint knows, each a direction of its vectors: no word of the queries is in the tools. */
const SUBJECTS = [/email|dispatch a missive/i, /room|somewhere to meet/i, /print|hardcopy/i];

/** An endpoint in the format of OpenAI that counts its requests, and stays silent or fails on demand. */
async function endpoint() {
  const state = { mode: 'answer' as 'answer' | 'fail' | 'silent', texts: [] as string[], keys: new Set<unknown>() };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { model, input } = JSON.parse(body) as { model: string; input: string[] };
      state.texts.push(...input);
      state.keys.add(request.headers.authorization);
      if (state.mode === 'silent') return;
      const isRight = request.url === '/v1/embeddings' && model === 'tiny' && state.mode === 'answer';
      const embed = (text: string) => SUBJECTS.map((subject) => (subject.test(text) ? 1 : 0.1));
      const data = input.map((text, index) => ({ index, embedding: embed(text) })).reverse();
      response.writeHead(isRight ? 200 : 500).end(JSON.stringify({ data }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return { state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/` };
}

async function connected(embeddings: NonNullable<ConstructorParameters<typeof MCPProxy>[1]>['embeddings']) {
  const client = await enter(new MCPProxy(new MemoryToolbox(SERVERS), { embeddings, code: 'on' }), DOORS[0]);
  const call = async (name: string, args: Record<string, unknown>) =>
    ((await client.callTool({ name, arguments: args })).content[0] as { text: string }).text;
  /** The first tool that a query finds. */
  const first = async (query: string) => /^- (\w+) \(server/m.exec(await call('inspect', { query }))?.[1];
  return { first, call };
}

describe('embeddings', () => {
  verifies('CHOICE-SEARCH-05', 'are fused with the words, and kept by the hash of a tool', async () => {
    const { state, url } = await endpoint();
    const cacheFolder = mkdtempSync(join(tmpdir(), 'a2c-embeddings-'));
    atEnd(() => rmSync(cacheFolder, { recursive: true }));
    const options = { url, model: 'tiny', apiKey: 'secret', cacheFolder };
    const { first, call } = await connected(options);
    // The tools are embedded in the background, and a slow answer of the endpoint is not waited for.
    await expect.poll(() => first('dispatch a missive')).toBe('send_email');
    await expect.poll(() => first('somewhere to meet')).toBe('book_room');
    const found = () => call('run', { code: 'return (await search("hardcopy"))[0]?.tool' });
    await expect.poll(found).toBe('print_page');
    expect(await first('book a room')).toBe('book_room');
    expect(state.keys).toEqual(new Set(['Bearer secret']));
    const embedded = state.texts.filter((text) => text.startsWith('office: '));
    expect(embedded).toHaveLength(3);

    // The file is written after the answers.
    await expect
      .poll(() => readdirSync(cacheFolder).filter((file) => file.endsWith('.json')).length, { timeout: 20_000 })
      .toBe(1);
    state.texts.length = 0;
    const again = await connected(options);
    expect(await again.first('hardcopy')).toBe('print_page');
    expect(state.texts).toEqual(['hardcopy']);
  });

  verifies('CHOICE-SEARCH-05', 'are left out while the endpoint is away, slow or wrong', async () => {
    const { state, url } = await endpoint();
    for (const mode of ['silent', 'fail'] as const) {
      state.mode = mode;
      const warnings: string[] = [];
      const onWarning = (message: string) => warnings.push(message);
      const { first } = await connected({ url, model: 'tiny', timeoutMs: 100, onWarning });
      expect(await first('send an email')).toBe('send_email');
      expect(await first('book a room')).toBe('book_room');
      expect(warnings).toEqual([
        expect.stringMatching(/are not used for 30 s: (no answer within 100 ms|HTTP status 500)/),
      ]);
    }
    const { first } = await connected({ url: 'http://127.0.0.1:9/v1', model: 'tiny' });
    expect(await first('send an email')).toBe('send_email');
  });
});
