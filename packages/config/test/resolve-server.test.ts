import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { BASELINE_ENV, childEnvironment, InputResolver, type ResolveContext, resolveServer } from '../src/index.js';
import { readOne, temporaryFolder } from './reading.js';

const root = '/srv/project';
const trusted: ResolveContext = { trusted: true, root, home: '/home/me', env: { TOKEN: 'tok', HOST: 'e.example' } };
const v1 = (server: object) => readOne({ version: 1, servers: { s: server } });
const stdio = (more: object = {}) => v1({ transport: 'stdio', argv: ['x'], ...more });
const http = (more: object) => v1({ transport: 'streamable_http', url: 'https://${HOST}/mcp', ...more });

describe('a trusted server', () => {
  verifies(
    ['CONF-HOLD-06', 'CONF-HOLD-03'],
    'stdio: arguments and values are expanded, names and paths are not',
    async () => {
      const server = readOne({
        mcpServers: {
          s: {
            command: '${MCP_ROOT}/bin',
            args: ['--token=${TOKEN}'],
            env: { '${TOKEN}': '${TOKEN}' },
            cwd: '${userHome}/w',
            stdout_log: { path: '${TOKEN}.log' },
          },
        },
      });
      expect((await resolveServer(server, trusted)).transport).toMatchObject({
        argv: ['/srv/project/bin', '--token=tok'],
        env: { '${TOKEN}': 'tok' },
        cwd: '/home/me/w',
        stdout_log: { path: '/srv/project/${TOKEN}.log' },
      });
    },
  );

  verifies(
    ['CONF-HOLD-06', 'KIT-STDIO-04', 'KIT-UNIX-01'],
    'relative paths are resolved against the root',
    async () => {
      expect((await resolveServer(stdio({ stdout_log: { path: './l.log' } }), trusted)).transport).toMatchObject({
        cwd: root,
        stdout_log: { path: '/srv/project/l.log' },
      });
      const unix = async (unix_path: string) =>
        (await resolveServer(v1({ transport: 'unix', unix_path }), trusted)).transport;
      expect(await unix('run/${TOKEN}.sock')).toEqual({ type: 'unix', unix_path: '/srv/project/run/${TOKEN}.sock' });
      expect(await unix('/tmp/mcp.sock')).toEqual({ type: 'unix', unix_path: '/tmp/mcp.sock' });
    },
  );

  verifies(
    ['KIT-HTTP-04', 'KIT-HTTP-05', 'CONF-HOLD-06'],
    'http: URL, headers, and secrets from the environment',
    async () => {
      const server = http({
        http_headers: { 'X-A': 'a ${TOKEN}', authorization: 'Basic overridden' },
        bearer_token_env_var: 'TOKEN',
        env_http_headers: { 'X-Key': 'TOKEN' },
      });
      expect((await resolveServer(server, trusted)).transport).toEqual({
        ...server.transport,
        url: 'https://e.example/mcp',
        http_headers: { 'X-A': 'a tok', 'X-Key': 'tok', Authorization: 'Bearer tok' },
        bearer_token_env_var: null,
        env_http_headers: {},
      });
    },
  );

  verifies(['CONF-HOLD-05', 'CONF-HOLD-06'], 'reports every failing field at once, without values', async () => {
    const server = http({
      url: 'https://${NONE}/secret-path',
      http_headers: { 'X-A': 'secret ${GONE}', 'X-B': '${BREAK}' },
      bearer_token_env_var: 'ABSENT',
    });
    const env = { BREAK: 'secret\r\nX-C: d' };
    const message = await resolveServer(server, { ...trusted, env }).catch((error: Error) => error.message);
    expect(message).toBe(
      [
        's: url: the environment variable NONE is not set',
        's: header X-A: the environment variable GONE is not set',
        's: bearer_token_env_var: the environment variable ABSENT is not set',
        's: header X-B: the value is not legal in a header',
      ].join('\n'),
    );
    const noUrl = resolveServer(http({ url: '${HOST}' }), trusted);
    await expect(noUrl).rejects.toThrow(
      's: url: expected an http:// or https:// URL, or http+unix:// with the path of a socket',
    );
  });

  verifies(['COMP-INPUT-01', 'COMP-INPUT-02', 'CONF-HOLD-06'], 'a2c: every field is expanded', async () => {
    const server = readOne({
      name: 's',
      type: 'stdio',
      tool_meta: { t: { ret_object_mapper: { limit: '${input:limit}' } } },
      vrl: '.region = "${input:region}"',
      server_parameters: { command: 'x', args: ['${input:limit}', '${HOME}'], env: { KEY: '${input:none}' } },
    });
    const inputs = new InputResolver([
      { type: 'promptString', id: 'limit', description: '', default: null, password: false },
      { type: 'pickString', id: 'region', description: '', options: [{ label: 'Europe', value: 'eu' }], default: 'eu' },
    ]);
    inputs.setCachedValue('limit', 5);
    const warnings: string[] = [];
    const resolved = await resolveServer(server, { ...trusted, inputs, warn: (text) => warnings.push(text) });
    expect(resolved).toMatchObject({
      tool_meta: { t: { ret_object_mapper: { limit: 5 } } },
      vrl: '.region = "eu"',
      transport: { argv: ['x', '5', '${HOME}'], env: { KEY: '${input:none}' } },
    });
    expect(warnings).toContain('input "none" is not defined; its placeholder is not expanded');
  });

  verifies('CONF-INPUT-01', 'an input without a value is reported with its field', async () => {
    const inputs = new InputResolver(
      [{ type: 'promptString', id: 'k', description: '', default: null, password: true }],
      {
        env: {},
      },
    );
    const server = http({ http_headers: { 'X-K': '${input:k}' } });
    await expect(resolveServer(server, { ...trusted, inputs })).rejects.toThrow(
      's: header X-K: input "k" has no value; set A2C_SMCP_k, or run a2c in a terminal to be asked',
    );
  });

  verifies(['CONF-COMPAT-03', 'CONF-HOLD-06'], 'values of env take precedence over envFile', async () => {
    const folder = temporaryFolder({
      '.env': '# comment\n\nA=1\nexport B="two\\nlines"\nC=\'three # kept\'\nD=four # dropped\r\nE=\nF=a=b\n',
    });
    const server = readOne({ mcpServers: { s: { command: 'x', envFile: '${MCP_ROOT}/.env', env: { A: 'own' } } } });
    const at = { ...trusted, root: folder };
    expect((await resolveServer(server, at)).transport).toMatchObject({
      env: { A: 'own', B: 'two\nlines', C: 'three # kept', D: 'four', E: '', F: 'a=b' },
      env_file: null,
    });
    writeFileSync(join(folder, '.env'), 'A=1\nsecret text\n');
    await expect(resolveServer(server, at)).rejects.toThrow('s: env_file: line 2 is not KEY=value');
    await expect(resolveServer(server, { ...at, root: '/none' })).rejects.toThrow('s: env_file: does not exist');
  });
});

describe('an untrusted server', () => {
  verifies('CONF-HOLD-04', 'keeps its placeholders', async () => {
    const server = http({ http_headers: { 'X-A': '${TOKEN}' } });
    const resolved = await resolveServer(server, { ...trusted, trusted: false });
    expect(resolved.transport).toMatchObject({ url: 'https://${HOST}/mcp', http_headers: { 'X-A': '${TOKEN}' } });
  });

  verifies(['CONF-HOLD-04', 'KIT-HTTP-09'], 'gets no secret from the environment', async () => {
    const server = http({ bearer_token_env_var: 'TOKEN', env_http_headers: { 'X-K': 'TOKEN' } });
    await expect(resolveServer(server, { ...trusted, trusted: false })).rejects.toThrow(
      's: header X-K: a secret from the environment needs a trusted configuration',
    );
  });
});

describe('the environment of a child process', () => {
  const parent = { PATH: '/bin', HOME: '/home/me', SECRET: 's', LANG: 'C', A2C_API_KEY: 'k', a2c_smcp_token: 't' };

  verifies(
    ['SEC-ENV-01', 'KIT-STDIO-02', 'KIT-STDIO-03', 'KIT-MAP-03'],
    'inherits the environment if asked to, without the variables of a2c; env takes precedence',
    () => {
      const transport = stdio({ env: { LANG: 'de' }, inherit_env: true }).transport;
      if (transport.type !== 'stdio') throw new Error('not stdio');
      const { PATH, HOME, SECRET } = parent;
      expect(childEnvironment(transport, parent)).toEqual({ PATH, HOME, SECRET, LANG: 'de' });
    },
  );

  verifies(['SEC-ENV-01', 'KIT-STDIO-02'], 'by default only the baseline variables', () => {
    const transport = stdio({ env: { A: 'b' } }).transport;
    if (transport.type !== 'stdio') throw new Error('not stdio');
    expect(childEnvironment(transport, parent)).toEqual({
      PATH: '/bin',
      HOME: '/home/me',
      A: 'b',
    });
    const seed = ['PATH', 'HOME', 'USERPROFILE', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'SYSTEMROOT'];
    expect(BASELINE_ENV).toEqual(expect.arrayContaining(seed));
  });
});
