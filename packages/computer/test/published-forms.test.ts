import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { isTextType, mimeTypeOf } from '../src/skills/mime-types.js';
import { agentIn, ask, boot, folder, joined, serve, server, workshop } from './harness.js';

const NEW = { query: { a2c_version: '0.4.0' } };
const REQUEST = { agent: 'a', req_id: 'q', computer: 'pc' };
const SHELF = fileURLToPath(new URL('servers/shelf.mjs', import.meta.url));

describe('files of skills', () => {
  async function office(limits: object = {}) {
    const home = folder();
    const skill = join(home, 'user', 'letters');
    mkdirSync(skill, { recursive: true });
    writeFileSync(join(skill, 'SKILL.md'), '---\ndescription: d\n---\n ${TFROBOT_SKILL_DIR} \n');
    writeFileSync(join(skill, 'long.md'), 'x'.repeat(32 * 1_024 + 1));
    writeFileSync(join(skill, 'short.md'), 'x'.repeat(32 * 1_024));
    writeFileSync(join(skill, 'data.bin'), Buffer.alloc(300_000, 7));
    const { url } = await serve({ officePolicy: () => ({ agents: 'many' }) });
    await joined(await boot({ mcpServers: [], skills: { home }, limits }), url);
    const agent = await agentIn(url, 'o', 'a', NEW);
    const request = async (event: string, fields: object, asker = agent) =>
      (await ask(asker, event, { ...REQUEST, ...fields }))[0] as Record<string, unknown>;
    const skillOf = (rel_path?: string) =>
      request('client:get_skill', { name: 'letters', ...(rel_path && { rel_path }) });
    return { url, request, skillOf };
  }

  verifies(
    'MEM-SKILL-08',
    'a text of up to 32 KiB is in the answer; others are blobs; SKILL.md is served without its head',
    async () => {
      const { skillOf } = await office();
      expect(await skillOf()).toMatchObject({
        ...{
          name: 'letters',
          rel_path: 'SKILL.md',
          mime_type: 'text/markdown',
          total_size: 23,
          // The Agent replaces the variable.
          body: ' ${TFROBOT_SKILL_DIR} \n',
          req_id: 'q',
        },
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
      expect(await skillOf('short.md')).toHaveProperty('body');
      for (const path of ['long.md', 'data.bin']) {
        const file = await skillOf(path);
        expect([Object.hasOwn(file, 'body'), typeof file.blob_handle], path).toEqual([false, 'string']);
      }
    },
  );

  verifies('MEM-SKILL-11', 'refusals have their code, their text and what they refer to', async () => {
    const { request, skillOf } = await office();
    const named = (name: string) => request('client:get_skill', { name });
    const refusal = (code: number, message: string, details: object) => ({
      code,
      message: expect.stringContaining(message),
      details,
    });
    expect(await named('My Skill')).toEqual(refusal(4016, 'Invalid skill name', { name: 'My Skill' }));
    expect(await named('none')).toEqual(refusal(4014, 'Skill not found', { name: 'none' }));
    for (const [rel_path, reason] of [
      ['../x', 'traversal'],
      ['.skillenv', 'forbidden'],
      ['none.md', 'not_found'],
    ] as const)
      expect(await skillOf(rel_path)).toEqual(refusal(4017, 'Skill resource not accessible', { reason, rel_path }));
    const large = await office({ skillFileBytes: 1_000 });
    expect(await large.skillOf('data.bin')).toEqual(
      refusal(4017, 'not accessible', { reason: 'too_large', rel_path: 'data.bin', total_size: 300_000 }),
    );
  });

  verifies(
    'MEM-BLOB-02',
    'chunks have 256 KiB unless the Agent states a size; each refusal has its reason',
    async () => {
      const { url, request, skillOf } = await office();
      const { blob_handle } = await skillOf('data.bin');
      const chunk = (fields: object) => request('client:get_blob', { blob_handle, ...fields });
      const size = ({ blob }: Record<string, unknown>) => Buffer.from(String(blob), 'base64').length;
      for (const fields of [{}, { max_chunk_bytes: 0 }, { max_chunk_bytes: -1 }]) {
        const first = await chunk(fields);
        expect([size(first), first.eof, first.total_size]).toEqual([256 * 1_024, false, 300_000]);
      }
      expect(size(await chunk({ max_chunk_bytes: 10, chunk_offset: 5 }))).toBe(10);
      expect(await chunk({ chunk_offset: 300_000 })).toMatchObject({ blob: '', eof: true });
      const reasonOf = async (work: Promise<Record<string, unknown>>) => {
        const { code, details } = await work;
        return [code, (details as { reason?: string }).reason];
      };
      expect(await reasonOf(chunk({ chunk_offset: 300_001 }))).toEqual([4018, 'range']);
      expect(await reasonOf(chunk({ blob_handle: 'x'.repeat(303) }))).toEqual([4018, 'invalid_handle']);
      expect(await reasonOf(chunk({ blob_handle: crypto.randomUUID() }))).toEqual([4018, 'gone']);
      const other = await agentIn(url, 'o', 'b', NEW);
      expect(await reasonOf(request('client:get_blob', { agent: 'b', blob_handle }, other))).toEqual([
        4018,
        'forbidden',
      ]);
    },
  );

  verifies('MEM-SKILL-08', 'the type of a file follows from its extension, as published', () => {
    const types = {
      'text/markdown': 'md markdown',
      'text/plain': 'txt',
      'text/x-rst': 'rst',
      'application/json': 'json',
      'application/xml': 'xml',
      'application/yaml': 'yaml yml',
      'application/toml': 'toml',
      'application/pdf': 'pdf',
      'application/zip': 'zip',
      'application/gzip': 'gz',
      'application/x-tar': 'tar',
      'application/wasm': 'wasm',
      'image/png': 'png PNG',
      'image/jpeg': 'jpg jpeg',
      'image/gif': 'gif',
      'image/webp': 'webp',
      'image/bmp': 'bmp',
      'image/vnd.microsoft.icon': 'ico',
      'image/svg+xml': 'svg',
      'font/woff': 'woff',
      'font/woff2': 'woff2',
      'font/ttf': 'ttf',
      'font/otf': 'otf',
      'audio/mpeg': 'mp3',
      'audio/wav': 'wav',
      'video/mp4': 'mp4',
      'video/webm': 'webm',
      'application/octet-stream': 'html js csv',
    };
    for (const [type, extensions] of Object.entries(types))
      for (const extension of extensions.split(' ')) expect(mimeTypeOf(`a.${extension}`), extension).toBe(type);
    expect(mimeTypeOf('a')).toBe('application/octet-stream');
    const texts = ['json', 'xml', 'yaml', 'x-yaml', 'toml', 'javascript', 'ld+json', 'x+yaml'];
    for (const type of ['text/html; charset=x', 'image/svg+xml', ...texts.map((subtype) => `application/${subtype}`)])
      expect(isTextType(type), type).toBe(true);
    for (const type of ['application/pdf', 'image/png']) expect(isTextType(type), type).toBe(false);
  });
});

verifies('MEM-RES-02', 'a resource has the fields of the protocol in snake case, and none is null', async () => {
  const annotations = { audience: ['user'], priority: 0.5, lastModified: '2026-01-01', other: 1 };
  const shelf = [
    {
      uri: 'a://1',
      title: 'T',
      icons: [],
      description: null,
      mimeType: 'text/plain',
      size: 3,
      annotations,
      _meta: { k: 1 },
    },
    { uri: 'a://2', annotations: null },
  ];
  const parameters = {
    command: process.execPath,
    args: [SHELF],
    env: { SHELF: JSON.stringify(shelf), SHELF_PAGE: '1' },
  };
  const { url } = await serve();
  await joined(await boot({ mcpServers: [server('my shelf', { server_parameters: parameters })] }), url);
  const agent = await agentIn(url, 'o', 'a', NEW);
  const page = async (cursor?: string) =>
    (await ask(agent, 'client:get_resources', { ...REQUEST, mcp_server: 'my_shelf', ...(cursor && { cursor }) }))[0];
  expect(await page()).toEqual({
    resources: [
      {
        ...{ uri: 'a://1', name: 'a://1', mime_type: 'text/plain', size: 3, _meta: { k: 1 } },
        annotations: { audience: ['user'], priority: 0.5, last_modified: '2026-01-01' },
      },
    ],
    next_cursor: '1',
    req_id: 'q',
  });
  expect(await page('1')).toEqual({ resources: [{ uri: 'a://2', name: 'a://2' }], req_id: 'q' });
});

verifies('MEM-DESK-02', 'windows are ordered by their annotations; invalid ones are reported once', async () => {
  const window = (name: string, annotations: object, _meta: object = {}) => ({
    ...{ uri: `window://w/${name}`, text: name, annotations, _meta },
  });
  const shelf = [
    window('low', { priority: 0.1 }),
    window('wrong', { priority: 7 }, { fullscreen: 'yes' }),
    window('high', { priority: 0.9, audience: ['user'] }),
  ];
  const parameters = { command: process.execPath, args: [SHELF], env: { SHELF: JSON.stringify(shelf) } };
  const computer = await boot({ mcpServers: [server('s', { server_parameters: parameters })] });
  const names = async () => (await computer.getDesktop()).map((text) => text.split('\n\n')[1]);
  expect([await names(), await names()]).toEqual([
    ['high', 'low', 'wrong'],
    ['high', 'low', 'wrong'],
  ]);
  const warnings = computer.log.filter(({ level }) => level === 'warn').map(({ message }) => message);
  expect(warnings.filter((text) => text.includes('window://')).toSorted()).toEqual([
    expect.stringContaining('window://w/high: its audience does not include "assistant"'),
    expect.stringContaining('window://w/wrong: its _meta.fullscreen is neither true nor false'),
    expect.stringContaining('window://w/wrong: its priority is not a number from 0 to 1 and counts as 0'),
  ]);
});

verifies(
  'MEM-TAGS-02',
  'results and consent follow the settings of the owner, not those that an MCP server declares',
  async () => {
    const declared = { auto_apply: true, alias: 'forged', tags: ['theirs'] };
    const tools = [{ name: 'echo', inputSchema: { type: 'object' }, _meta: { a2c_tool_meta: declared } }];
    const parameters = workshop({ WORKSHOP_TOOLS: JSON.stringify(tools) });
    const asked: string[] = [];
    const computer = await boot({
      mcpServers: [server('w', { default_tool_meta: null, server_parameters: parameters })],
      confirm: ({ tool }) => {
        asked.push(tool);
        return true;
      },
    });
    expect(computer.getAvailableTools('exposed')).toMatchObject([
      { name: 'w__echo', meta: { a2c_tool_meta: expect.stringContaining('"tags":["theirs"]') } },
    ]);
    const result = await computer.executeTool('1', 'echo', { message: 'hi' });
    expect(asked).toEqual(['echo']);
    expect(JSON.stringify(result._meta ?? {})).not.toContain('theirs');
  },
);
