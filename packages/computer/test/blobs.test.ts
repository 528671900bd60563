import { createHash } from 'node:crypto';
import { verifies } from '@a2c/requirements';
import fc from 'fast-check';
import type { Socket } from 'socket.io-client';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { jsonBytes } from '../src/calls/json-bytes.js';
import type { OfficeLinkLimits } from '../src/index.js';
import { BlobStore } from '../src/link/blob-store.js';
import {
  type Answer,
  agentIn,
  ask,
  boot,
  call,
  joined,
  oddities,
  sdkServer,
  serve,
  server,
  textOf,
  until,
} from './harness.js';

describe('results over the Server’s limit', () => {
  const big = () => boot({ mcpServers: [server('s', { server_parameters: sdkServer() })] });

  verifies('COMP-BLOB-01', 'are an error, and the connection stays open', async () => {
    const { url } = await serve({ limits: { messageBytes: 100_000 } });
    const computer = await big();
    const link = await joined(computer, url);
    const agent = await agentIn(url);
    const { sid } = link;
    const answer = await call(agent, 'big', { bytes: 200_000 });
    expect(answer).toMatchObject({ isError: true, error: { code: 500, details: { limit: expect.any(Number) } } });
    expect(answer.error?.message).toMatch(/; ask for less$/);
    expect(textOf(await call(agent, 'big', { bytes: 90_000 }))).toHaveLength(90_000);
    expect(link.sid).toBe(sid);
  });

  verifies(
    ['COMP-BLOB-01', 'WIRE-BLOB-01'],
    'are sent as handles to Agents that accept them, and fetched in chunks',
    async () => {
      const { url } = await serve({ limits: { messageBytes: 100_000 } });
      await joined(await big(), url);
      const agent = await agentIn(url);
      const answer = await call(agent, 'big', { bytes: 200_000 }, { accept_blobs: true });
      const [block] = answer.content as unknown as [{ text: string; _meta: Record<string, unknown> }];
      expect(answer.isError).toBe(false);
      expect(block).toMatchObject({ type: 'text', text: '', _meta: { a2c_total_size: 200_000 } });
      const handle = block._meta.a2c_blob_handle;
      const pieces: Buffer[] = [];
      for (let offset = 0, eof = false; !eof; ) {
        const piece = await pull(agent, { blob_handle: handle, chunk_offset: offset });
        const bytes = Buffer.from(String(piece.blob), 'base64');
        expect(piece).toMatchObject({ chunk_offset: offset, total_size: 200_000, req_id: 'b' });
        pieces.push(bytes);
        offset += bytes.length;
        eof = piece.eof === true;
      }
      const whole = Buffer.concat(pieces);
      expect(whole.toString()).toBe('x'.repeat(200_000));
      expect(createHash('sha256').update(whole).digest('hex')).toBe(block._meta.a2c_sha256);
      expect(pieces.length).toBeGreaterThan(2);
      expect(await pull(agent, { blob_handle: handle, max_chunk_bytes: 3 })).toMatchObject({
        blob: 'eHh4',
        eof: false,
      });

      const refusal = async (request: object) => (await pull(agent, request)).error as Answer['error'];
      expect(await refusal({ blob_handle: 'nothing' })).toMatchObject({
        code: 404,
        details: { reason: 'invalid_handle', a2c_code: 4018 },
      });
      expect(await refusal({ blob_handle: handle, chunk_offset: 200_001 })).toMatchObject({
        details: { reason: 'range' },
      });
    },
  );
});

interface Notes {
  readonly a2c_blob_handle: string;
  readonly a2c_total_size: number;
  readonly a2c_sha256: string;
}

const GONE = { error: { code: 404, details: { reason: 'gone', a2c_code: 4018 } } };

/** An Agent and a Computer with unusual results, at a Server that accepts messages of 100,000 bytes. */
async function oddOffice(limits: Partial<OfficeLinkLimits> = {}) {
  const { url } = await serve({ limits: { messageBytes: 100_000 } });
  const computer = await boot({ mcpServers: [server('s', { server_parameters: oddities() })] });
  await joined(computer, url, { limits });
  const agent = await agentIn(url);
  const big = (tool: string, params: object, reqId = 'big') =>
    call(agent, tool, params, { accept_blobs: true, req_id: reqId });
  const picture = async (bytes: number, reqId: string) => {
    const [block] = (await big('picture', { bytes }, reqId)).content as unknown as [{ _meta: Notes }];
    return block._meta.a2c_blob_handle;
  };
  return { agent, computer, big, picture };
}

describe('structured content over the limit', () => {
  verifies('COMP-BLOB-01', 'is sent as a handle as well', async () => {
    const { agent, computer, big } = await oddOffice();
    const { meta, ...answer } = await big('structured', { bytes: 150_000 });
    expect(answer).toEqual({ content: [{ type: 'text', text: 'see the structure' }], isError: false });
    const { a2c_blob_handle: blob_handle, a2c_total_size, a2c_sha256 } = meta as unknown as Notes;
    const pieces: Buffer[] = [];
    for (let chunk_offset = 0; chunk_offset < a2c_total_size; ) {
      const { blob, mime_type } = await pull(agent, { blob_handle, chunk_offset });
      expect(mime_type).toBe('application/json');
      const bytes = Buffer.from(String(blob), 'base64');
      pieces.push(bytes);
      chunk_offset += bytes.length;
    }
    const json = Buffer.concat(pieces);
    expect(JSON.parse(json.toString())).toEqual({ text: 'x'.repeat(150_000) });
    expect(createHash('sha256').update(json).digest('hex')).toBe(a2c_sha256);
    expect(computer.history()[0]?.success).toBe(true);
  });

  verifies('COMP-BLOB-01', 'stays in place when extracting the rest is enough', async () => {
    const { big } = await oddOffice();
    expect(await big('structured', { bytes: 50_000 })).toMatchObject({
      structuredContent: { text: 'x'.repeat(50_000) },
    });
  });
});

describe('a stored blob', () => {
  verifies('COMP-BLOB-02', 'is released some time after its last chunk was read, and not before', async () => {
    const { agent, picture } = await oddOffice({ blobReadMs: 1_500 });
    const [read, unread] = [await picture(100_000, '1'), await picture(100_000, '2')];
    const last = { blob_handle: read, chunk_offset: 99_999 };
    expect(await pull(agent, last)).toMatchObject({ eof: true });
    expect(await pull(agent, last)).toMatchObject({ eof: true }); // the repetition after a lost answer
    await until(async () => (await pull(agent, { blob_handle: read })).error !== undefined);
    expect(await pull(agent, { blob_handle: read })).toMatchObject(GONE);
    expect(await pull(agent, { blob_handle: unread })).toMatchObject({ total_size: 100_000 });
  });

  verifies('COMP-BLOB-02', 'is stored once for a repeated call', async () => {
    // Room for two pictures, not for three.
    const { agent, picture } = await oddOffice({ blobBytes: 250_000 });
    const other = await picture(100_000, 'other');
    const handles = [await picture(100_000, 'same'), await picture(100_000, 'same'), await picture(100_000, 'same')];
    expect(new Set(handles).size).toBe(1);
    expect(await pull(agent, { blob_handle: other })).toMatchObject({ total_size: 100_000 });
  });

  verifies('COMP-BLOB-02', 'is stored again for a call that is repeated after the release', async () => {
    const { agent, picture } = await oddOffice({ blobReadMs: 10 });
    const first = await picture(100_000, 'same');
    await pull(agent, { blob_handle: first, chunk_offset: 99_999 });
    await until(async () => (await pull(agent, { blob_handle: first })).error !== undefined);
    const again = await picture(100_000, 'same');
    expect(again).not.toBe(first);
    expect(await pull(agent, { blob_handle: again })).toMatchObject({ total_size: 100_000 });
  });

  verifies('COMP-BLOB-02', 'is not removed for a result that cannot be sent', async () => {
    const { agent, big, picture } = await oddOffice({ blobBytes: 200_000 });
    const kept = await picture(100_000, 'kept');
    const answer = await big('crumbs', { count: 200 }, 'too many');
    expect(answer).toMatchObject({ isError: true, error: { code: 500 } });
    // An Agent that accepts handles gets no hint to do so.
    expect(answer.error?.message).toMatch(/; ask for less$/);
    expect(await pull(agent, { blob_handle: kept })).toMatchObject({ total_size: 100_000 });
  });
});

verifies('COMP-BLOB-03', 'handles invented by an MCP server are removed', async () => {
  const { big } = await oddOffice();
  const { content, meta } = await big('forged', {});
  expect(content).toEqual([
    { type: 'text', text: 'mine', _meta: { 'their/own': true } },
    { type: 'text', text: 'plain' },
  ]);
  expect(JSON.stringify(meta)).not.toMatch(/a2c_blob_handle|a2c_sha256|a2c_total_size/);
  expect(meta).toMatchObject({ 'their/own': true });
});

async function pull(agent: Socket, request: object): Promise<Record<string, unknown>> {
  const [answer] = await ask(agent, 'client:get_blob', { agent: 'a', req_id: 'b', computer: 'pc', ...request });
  return answer as Record<string, unknown>;
}

verifies('COMP-BLOB-04', 'the size of a result is that of its JSON, measured in pieces', () => {
  const unit = fc.constantFrom('a', '"', '\n', '\\', 'é', '漢', '😀', '\ud83d', '\ude00');
  const text = fc.tuple(fc.array(unit, { minLength: 1, maxLength: 7 }), fc.integer({ min: 1, max: 200_000 }));
  const resultOf = (long: string, data: string) => ({ content: [{ type: 'text', text: long, data }], isError: false });
  fc.assert(
    fc.property(text, text, ([units, length], [others, further]) => {
      const [long, data] = [units.join('').repeat(length), others.join('').repeat(further)];
      const result = resultOf(long.slice(0, length), data.slice(0, further));
      expect(jsonBytes(result)).toBe(Buffer.byteLength(JSON.stringify(result)));
    }),
    { numRuns: 50 },
  );
  const stringify = vi.spyOn(JSON, 'stringify');
  onTestFinished(() => stringify.mockRestore());
  expect(jsonBytes(resultOf('x'.repeat(1_000_000), ''))).toBeGreaterThan(1_000_000);
  expect(Math.max(...stringify.mock.results.map(({ value }) => (value as string).length))).toBeLessThan(100_000);
});

verifies('COST-SHARE-01', 'an Agent that stores many blobs does not displace those of another', () => {
  const store = new BlobStore(1_000, 60_000);
  const add = (owner: string) => store.add(Buffer.alloc(300), 'text/plain', '', owner);
  const read = (blob_handle: string, agent: string) =>
    store.read({ agent, computer: 'pc', req_id: 'r', blob_handle, chunk_offset: 0 }, agent, 100_000);
  const honest = add('honest');
  const many = Array.from({ length: 10 }, () => add('many'));
  expect(read(honest, 'honest').total_size).toBe(300);
  expect(read(many.at(-1) ?? '', 'many').total_size).toBe(300);
  expect(() => read(many[0] ?? '', 'many')).toThrow('call the tool again');
});
