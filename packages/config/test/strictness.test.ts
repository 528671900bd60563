import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { loadConfig, type ResolveContext, readConfig, resolveServer, TrustGuard, UNTRUSTED } from '../src/index.js';
import { errorsOf, read, readOne, temporaryFolder } from './reading.js';

/** A server of the given name, in every format that has one. */
const formats: Readonly<Record<string, (name: string) => unknown>> = {
  v1: (name) => ({ version: 1, servers: { [name]: { transport: 'stdio', argv: ['x'] } } }),
  mcpServers: (name) => ({ mcpServers: { [name]: { command: 'x' } } }),
  'server-map': (name) => ({ [name]: { command: 'x' } }),
  vscode: (name) => ({ servers: { [name]: { type: 'stdio', command: 'x' } } }),
  mcpx: (name) => ({ mcpServers: [{ name, command: 'x' }] }),
  'a2c list': (name) => [{ name, type: 'stdio', command: 'x' }],
  'a2c map': (name) => ({ servers: { [name]: { type: 'stdio', command: 'x', tool_meta: {} } } }),
};

describe('names', () => {
  for (const [format, document] of Object.entries(formats)) {
    for (const name of ['s ', ' s', 's\n', '\ts']) {
      verifies('CONF-STRICT-01', `${format}: ${JSON.stringify(name)} is rejected, not trimmed`, () => {
        expect(errorsOf(document(name))[0]).toMatch(/a server name (must not|may use only)/);
      });
    }
    verifies('CONF-STRICT-01', `${format}: a server cannot be called "all"`, () => {
      expect(errorsOf(document('all'))[0]).toContain('a server cannot be called "all"');
      expect(readOne(document('All')).name).toBe('All');
    });
  }

  verifies('CONF-STRICT-01', 'the id of an input', () => {
    expect(errorsOf([{ id: 'a\n', type: 'promptString' }])).toEqual([
      '/0/id: must not be empty, and must not begin or end with a blank or a line break',
    ]);
  });
});

describe('keys of the a2c format', () => {
  for (const key of ['tool_meta', 'default_tool_meta', 'forbidden_tools', 'vrl']) {
    verifies('CONF-STRICT-08', `"${key}" is refused under mcpServers, and read under servers`, () => {
      const value = { tool_meta: { echo: { alias: 'say' } }, default_tool_meta: { auto_apply: true } }[key];
      const server = { type: 'stdio', command: 'x', [key]: value ?? (key === 'vrl' ? '.' : ['rm']) };
      const why = `"${key}" belongs to the a2c format, which has "servers" instead of "mcpServers", and a "type" for each server`;
      expect(errorsOf({ mcpServers: { s: server } })).toEqual([`/mcpServers/s/${key}: ${why}`]);
      expect(readOne({ servers: { s: server } })).toMatchObject(key === 'vrl' ? {} : { [key]: server[key] });
    });
  }
});

describe('keys of other clients and of tools under mcpServers', () => {
  verifies('CONF-STRICT-08', 'are reported with the place where they belong', () => {
    const { problems } = readConfig(
      JSON.stringify({
        mcpServers: {
          a: { command: 'x', auto_apply: true, auto_aply: true },
          b: { url: 'https://e.example', serverUrl: 'https://e.example', httpUrl: 'https://e.example' },
        },
      }),
      { file: 'mcp.json' },
    );
    expect(problems.map(({ pointer, severity, message }) => [pointer, severity, message])).toEqual([
      ['/mcpServers/a/auto_apply', 'warning', expect.stringContaining('; "auto_apply" belongs to "tool_meta" or')],
      ['/mcpServers/a/auto_aply', 'warning', expect.stringContaining('; "auto_apply" belongs to "tool_meta" or')],
      ['/mcpServers/b/serverUrl', 'warning', expect.stringContaining('write "url"')],
      ['/mcpServers/b/httpUrl', 'warning', expect.stringContaining('write "url"')],
    ]);
  });
});

describe('the environment and arguments of a program', () => {
  const servers: Readonly<Record<string, (fields: object) => unknown>> = {
    v1: ({ args, ...fields }: { args?: string[] }) => ({
      version: 1,
      servers: { s: { transport: 'stdio', argv: ['x', ...(args ?? [])], ...fields } },
    }),
    mcpServers: (fields) => ({ mcpServers: { s: { command: 'x', ...fields } } }),
    vscode: (fields) => ({ servers: { s: { type: 'stdio', command: 'x', ...fields } } }),
    a2c: (fields) => ({ name: 's', type: 'stdio', server_parameters: { command: 'x', ...fields } }),
  };
  for (const [format, server] of Object.entries(servers)) {
    verifies('CONF-STRICT-02', `${format}: an empty value is allowed; "=" in a name and NUL are rejected`, () => {
      expect(readOne(server({ env: { A: '' } })).transport).toMatchObject({ env: { A: '' } });
      expect(errorsOf(server({ env: { 'A=B': 'c' } }))[0]).toContain('the name of a variable must not contain "="');
      expect(errorsOf(server({ env: { 'A\0': 'c' } }))[0]).toContain('must not contain a NUL character');
      expect(errorsOf(server({ env: { A: 'c\0' } }))[0]).toMatch(/NUL|expected/);
      expect(errorsOf(server({ args: ['c\0'] }))[0]).toContain('must not contain a NUL character');
    });
  }
});

verifies('CONF-STRICT-03', 'a timeout of zero is rejected in every format that has one', () => {
  expect(errorsOf({ mcpServers: { s: { command: 'x', timeout: 0 } } })[0]).toContain('a number above zero');
  const parameters = { url: 'https://e.example', timeout: 'PT0S' };
  expect(errorsOf({ name: 's', type: 'streamable', server_parameters: parameters })[0]).toContain('above zero');
});

const trusted: ResolveContext = { trusted: true, root: '/', env: { EMPTY: '', BLANK: ' ', SET: 'x' } };

verifies('CONF-STRICT-04', 'an empty variable for a token or a header is an error', async () => {
  const server = (fields: object) =>
    readOne({
      version: 1,
      servers: { s: { transport: 'streamable_http', url: 'https://e.example', ...fields } },
    });
  await expect(resolveServer(server({ bearer_token_env_var: 'EMPTY' }), trusted)).rejects.toThrow(
    's: bearer_token_env_var: the environment variable EMPTY is empty',
  );
  await expect(resolveServer(server({ env_http_headers: { 'X-Key': 'BLANK' } }), trusted)).rejects.toThrow(
    's: header X-Key: the environment variable BLANK is empty',
  );
  expect((await resolveServer(server({ bearer_token_env_var: 'SET' }), trusted)).transport).toMatchObject({
    http_headers: { Authorization: 'Bearer x' },
  });
});

verifies('CONF-STRICT-05', 'errors name the fields of the format', async () => {
  const args = ['a', 'b', 'c', 'd', '${env:NONE}'];
  const message = async (document: unknown) =>
    resolveServer(readOne(document), trusted).catch((error: Error) => error.message);
  expect(await message({ mcpServers: { s: { command: 'x', args } } })).toBe(
    's: args[4]: the environment variable NONE is not set',
  );
  expect(await message({ mcpServers: { s: { command: '${env:NONE}' } } })).toContain('s: command: ');
  expect(await message({ version: 1, servers: { s: { transport: 'stdio', argv: ['x', ...args] } } })).toContain(
    's: argv[5]: ',
  );
  expect(new TrustGuard(UNTRUSTED).check(readOne({ mcpServers: { s: { command: 'x', args } } }))).toHaveLength(1);
});

verifies('CONF-STRICT-06', 'a misspelt key of tool_meta is an error; other additional keys are passed on', () => {
  const server = (meta: object) => ({ name: 's', type: 'stdio', command: 'x', ...meta });
  expect(errorsOf(server({ tool_meta: { t: { auto_aply: false } } }))).toEqual([
    '/tool_meta/t/auto_aply: unknown key "auto_aply"',
  ]);
  expect(errorsOf(server({ default_tool_meta: { autoApply: false } }))).toEqual([
    '/default_tool_meta/autoApply: unknown key "autoApply"',
  ]);
  expect(read(server({ tool_meta: { t: { owner: 'me' } } })).servers[0]?.tool_meta).toEqual({ t: { owner: 'me' } });
});

verifies('CONF-STRICT-07', 'a default that is not an option is an error, also in VS Code files', () => {
  const input = { id: 'i', type: 'pickString', description: 'd', options: ['a'], default: 'b' };
  expect(errorsOf([input])).toEqual(['/0/default: the default is not one of the options']);
  expect(errorsOf({ servers: {}, inputs: [input] })).toEqual([
    '/inputs/0/default: the default is not one of the options',
  ]);
});

describe('a symbolic link', () => {
  verifies('CONF-FILE-06', 'works as a named file', async () => {
    const root = temporaryFolder({ 'real.json': { s: { command: 'x' } } });
    symlinkSync('real.json', join(root, 'link.json'));
    const loaded = await loadConfig({ root, config: 'link.json' });
    expect(loaded?.servers).toHaveLength(1);
    expect(loaded?.source.files[0].file).toBe(join(root, 'link.json'));
    symlinkSync('none.json', join(root, 'broken.json'));
    await expect(loadConfig({ root, config: 'broken.json' })).rejects.toThrow('broken.json: error: does not exist');
  });

  verifies('CONF-FILE-06', 'is rejected as a discovered file', async () => {
    const root = temporaryFolder({ 'real.json': { s: { command: 'x' } } });
    symlinkSync('real.json', join(root, 'mcp.json'));
    await expect(loadConfig({ root })).rejects.toThrow('is a symbolic link');
  });

  verifies('CONF-FILE-06', 'to a file of another owner is rejected', async () => {
    const root = temporaryFolder();
    const isRoot = process.getuid?.() === 0;
    symlinkSync('/etc/hostname', join(root, 'theirs.json'));
    const reading = loadConfig({ root, config: 'theirs.json' });
    // Run by root, the link and the file have the same owner, and the content decides.
    await expect(reading).rejects.toThrow(isRoot ? 'not JSON' : 'is a symbolic link to a file of another owner');
  });
});

verifies('SEC-NAME-01', 'a server name that looks like another one is refused', () => {
  for (const format of Object.values(formats)) {
    expect(errorsOf(format('files\u200b'))).toEqual([
      expect.stringMatching(/a server name (?:must not contain invisible characters \(U\+200B\)|may use only letters)/),
    ]);
  }
});
