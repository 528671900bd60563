import { createHash } from 'node:crypto';
import type { Agent } from '@a2c/agent';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { agentAt, next, serve, until, wireTo } from './harness.js';
import { realComputer } from './real-computer.js';
import { type Ack, scripted } from './scripted-server.js';

const QUICK = { reconnectMinMs: 10, reconnectMaxMs: 50 };
const MEGABYTE = 2 ** 20;

/** The bytes that the tool `image` returns. */
const picture = (bytes: number) => Buffer.alloc(bytes, 'the pixels of a picture ');

describe('a result larger than a message', () => {
  verifies(['AGT-BLOB-01', 'WIRE-BLOB-01', 'MEM-BLOB-01'], 'of 16 MB arrives complete', async () => {
    const { url, audit } = await serve();
    await realComputer(url);
    const agent = await agentAt(url);
    const { content, isError } = await agent.callTool('pc', 'image', { bytes: 16 * MEGABYTE });
    const [{ data, ...image } = {}] = content as unknown as Record<string, string>[];
    expect([isError, image]).toEqual([false, { type: 'image', mimeType: 'image/png' }]);
    expect(Buffer.from(data ?? '', 'base64').equals(picture(16 * MEGABYTE))).toBe(true);
    expect(audit.filter(({ event }) => event === 'client:get_blob')).toHaveLength(4);
  });

  verifies('AGT-BLOB-01', 'keeps its other parts, also texts beyond ASCII', async () => {
    const { url } = await serve({ limits: { messageBytes: 100_000 } });
    await realComputer(url);
    const agent = await agentAt(url);
    expect(await agent.callTool('pc', 'novel', { characters: 140_000 })).toMatchObject({
      isError: false,
      content: [
        { type: 'text', text: 'here it is' },
        {
          type: 'resource',
          resource: { uri: 'file:///novel.txt', mimeType: 'text/plain', text: 'Käse ☃ '.repeat(20_000) },
        },
      ],
    });
  });

  verifies('AGT-BLOB-01', 'includes its structured content', async () => {
    const { url } = await serve({ limits: { messageBytes: 100_000 } });
    await realComputer(url);
    const agent = await agentAt(url);
    const { _meta: meta, ...result } = await agent.callTool('pc', 'structure', { items: 20_000 });
    expect(result).toEqual({
      isError: false,
      content: [{ type: 'text', text: 'see the structure' }],
      structuredContent: { items: Array.from({ length: 20_000 }, (_, i) => `Käse ${i}`) },
    });
    expect(Object.keys(meta ?? {}).filter((key) => /blob|sha256|size/.test(key))).toEqual([]);
  });

  verifies('AGT-BLOB-01', 'is fetched completely despite lost connections', async () => {
    const { url, audit } = await serve({ limits: { messageBytes: 100_000 } });
    await realComputer(url);
    const wire = await wireTo(url);
    const agent = await agentAt(wire.url, { limits: QUICK });
    const back = next(agent, 'reconnected');
    const call = agent.callTool('pc', 'image', { bytes: 2 * MEGABYTE });
    await until(() => audit.some(({ event }) => event === 'client:get_blob'));
    wire.cut();
    await back;
    expect(pictureIn(await call)?.equals(picture(2 * MEGABYTE))).toBe(true);
  });

  verifies('AGT-BLOB-02', 'and than resultBytes is reported without fetching it', async () => {
    const { url, audit } = await serve({ limits: { messageBytes: 100_000 } });
    await realComputer(url);
    const agent = await agentAt(url, { limits: { resultBytes: MEGABYTE } });
    expect(await agent.callTool('pc', 'image', { bytes: MEGABYTE + 1 })).toMatchObject({
      isError: true,
      content: [
        {
          type: 'text',
          text: expect.stringMatching(/image, image\/png, 1048577 bytes.*up to 1048576 bytes \(limits.resultBytes\)/),
        },
      ],
    });
    expect(audit.some(({ event }) => event === 'client:get_blob')).toBe(false);
    expect(pictureIn(await agent.callTool('pc', 'image', { bytes: MEGABYTE }))?.equals(picture(MEGABYTE))).toBe(true);
  });

  verifies('AGT-BLOB-02', 'ends the call when the fetch is aborted or the Agent is closed', async () => {
    const { url, audit } = await serve({ limits: { messageBytes: 10_000 } });
    await realComputer(url);
    const agent = await agentAt(url);
    const stop = new AbortController();
    const fetching = () => until(() => audit.some(({ event }) => event === 'client:get_blob'));
    const aborted = expect(
      agent.callTool('pc', 'image', { bytes: 4 * MEGABYTE }, { signal: stop.signal }),
    ).rejects.toThrow('seen enough');
    await fetching();
    stop.abort(new Error('seen enough'));
    await aborted;
    audit.length = 0;
    const closed = expect(agent.callTool('pc', 'image', { bytes: 4 * MEGABYTE })).rejects.toMatchObject({
      kind: 'NotInRoom',
    });
    await fetching();
    await agent.close();
    await closed;
  });
});

describe('a blob that differs from its announcement', () => {
  const WHOLE = Buffer.from('the whole of it');
  const SHA256 = createHash('sha256').update(WHOLE).digest('hex');
  const NOTES = { a2c_blob_handle: 'h', a2c_total_size: WHOLE.length, a2c_sha256: SHA256 };
  const piece = { mime_type: 'image/png', total_size: WHOLE.length, sha256: SHA256, chunk_offset: 0, eof: true };

  type Give = (request: Record<string, unknown>, ack: Ack) => void;

  const cases = [
    ['damaged', { blob: Buffer.from('the whole of if').toString('base64') }, 'SHA-256 is not the one announced'],
    ['too short', { blob: WHOLE.subarray(0, 5).toString('base64') }, 'ended after 5 of 15 bytes'],
    ['too long', { blob: Buffer.from('the whole of it all').toString('base64') }, 'larger than the 15 bytes'],
    ['not base64', { blob: 'the whole!' }, 'is not base64'],
    ['always empty', { blob: '', eof: false }, 'is empty'],
    ['elsewhere', { blob: WHOLE.toString('base64'), chunk_offset: 3 }, 'got the chunk at 3 instead of 0'],
    ['refused', { code: 404, message: 'nothing under this handle', details: { a2c_code: 4018 } }, 'nothing under'],
  ] as const;

  for (const [what, answer, problem] of cases) {
    verifies('AGT-BLOB-02', `(${what}) is an error in its place`, async () => {
      const agent = await behind(({ blob_handle, req_id }, ack) => ack({ ...piece, blob_handle, req_id, ...answer }));
      const { isError, content } = await agent.callTool('pc', 'x');
      expect(isError).toBe(true);
      expect(content).toEqual([
        { type: 'text', text: 'before' },
        { type: 'text', text: expect.stringContaining(problem) },
      ]);
    });
  }

  verifies('AGT-BLOB-02', 'without size or SHA-256 is not fetched', async () => {
    const agent = await behind(() => expect.unreachable(), { a2c_sha256: undefined });
    const { isError, content } = await agent.callTool('pc', 'x');
    expect([isError, content[1]?.text]).toEqual([true, expect.stringContaining('did not send its size and SHA-256')]);
  });

  verifies('AGT-BLOB-02', 'is also reported for structured content', async () => {
    const answers = [
      [{ blob: Buffer.from('the whole of if').toString('base64') }, 'SHA-256 is not the one announced'],
      [{ blob: WHOLE.toString('base64') }, 'JSON'], // it is what was announced, and no JSON
    ] as const;
    for (const [answer, problem] of answers) {
      const agent = await answeredWith(
        { content: [{ type: 'text', text: 'before' }], meta: { ...NOTES, mine: 1 } },
        ({ blob_handle, req_id }, ack) => ack({ ...piece, blob_handle, req_id, ...answer }),
      );
      const result = await agent.callTool('pc', 'x');
      expect(result).not.toHaveProperty('structuredContent');
      expect(result).toMatchObject({ isError: true, _meta: { mine: 1 } });
      expect(result.content.at(-1)?.text).toMatch(/structuredContent, 15 bytes\) could not be fetched: /);
      expect(result.content.at(-1)?.text).toContain(problem);
      await agent.close();
    }
  });

  verifies('AGT-BLOB-04', 'is reported for structured content of too many values or levels', async () => {
    const depth = 10_000;
    const answers = [
      [`${'['.repeat(depth)}${']'.repeat(depth)}`, 'nests deeper than 1000 levels'],
      [`[${'0,'.repeat(250_000)}0]`, 'has more than 250000 values'],
    ] as const;
    for (const [text, problem] of answers) {
      const whole = Buffer.from(text);
      const sha256 = createHash('sha256').update(whole).digest('hex');
      const meta = { a2c_blob_handle: 'h', a2c_total_size: whole.length, a2c_sha256: sha256 };
      const chunk = { ...piece, total_size: whole.length, sha256, blob: whole.toString('base64') };
      const agent = await answeredWith({ content: [], meta }, ({ blob_handle, req_id }, ack) =>
        ack({ ...chunk, blob_handle, req_id }),
      );
      const result = await agent.callTool('pc', 'x');
      expect(result).not.toHaveProperty('structuredContent');
      expect([result.isError, result.content.at(-1)?.text]).toEqual([true, expect.stringContaining(problem)]);
      await agent.close();
    }
  });

  verifies('AGT-BLOB-03', 'and of which there are many: the call ends with its time limit', async () => {
    const image = { type: 'image', data: '', mimeType: 'image/png', _meta: NOTES };
    let asked = 0;
    const never: Give = () => asked++;
    const agent = await answeredWith({ content: [image, image, image] }, never, { graceMs: 100, queryMs: 3_600_000 });
    const { isError, content } = await agent.callTool('pc', 'x', {}, { timeout: 1 });
    expect(isError).toBe(true);
    expect(content).toHaveLength(3);
    expect(content[0]?.text).toMatch(/could not be fetched: .*no answer within 1/);
    expect(content[2]?.text).toMatch(/could not be fetched: the time limit of the call has passed/);
    expect(asked).toBe(1);
  });

  /** An Agent whose calls return a picture as a handle; `give` answers the requests for its chunks. */
  function behind(give: Give, differently: object = {}): Promise<Agent> {
    const image = { type: 'image', data: '', mimeType: 'image/png', _meta: { ...NOTES, ...differently } };
    return answeredWith({ content: [{ type: 'text', text: 'before' }, image] }, give);
  }

  async function answeredWith(result: object, give: Give, limits: object = {}): Promise<Agent> {
    const server = await scripted({
      'server:join_office': (_, ack) => ack(true, null),
      'server:list_room': ({ req_id }, ack) => ack({ sessions: [], req_id }),
      'client:tool_call': (_, ack) => ack({ ...result, isError: false }),
      'client:get_blob': give,
    });
    return agentAt(server.url, { limits });
  }
});

function pictureIn({ content }: Awaited<ReturnType<Agent['callTool']>>): Buffer | undefined {
  return content[0]?.type === 'image' ? Buffer.from(String(content[0].data), 'base64') : undefined;
}
