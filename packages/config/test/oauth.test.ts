import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import {
  convertConfig,
  InputResolver,
  maskConfig,
  readConfig,
  resolveServer,
  TrustGuard,
  UNTRUSTED,
} from '../src/index.js';

const url = 'https://notes.example/mcp';
const oauth = {
  client_id: 'a2c',
  client_secret: '${input:secret}',
  scopes: ['notes:read'],
  issuer: 'https://login.example',
  redirect_port: 7777,
};

function read(document: unknown) {
  const { config, problems } = readConfig(JSON.stringify(document), { file: 'mcp.json' });
  return { config, problems, oauth: (config?.servers[0]?.transport as { oauth?: object } | undefined)?.oauth };
}

verifies('LOGIN-CONFIG-01', 'our own formats have the same settings and reject unknown ones', () => {
  const v1 = (settings: object) => ({
    version: 1,
    servers: { notes: { transport: 'streamable_http', url, oauth: settings } },
  });
  const a2c = (settings: object) => [
    { name: 'notes', type: 'streamable', server_parameters: { url, oauth: settings } },
  ];
  for (const format of [v1, a2c]) {
    expect(read(format(oauth)).oauth).toEqual(oauth);
    const wrong = read(format({ clientid: 'a2c', redirect_port: 0, grant: 'password' })).problems;
    expect(wrong.map(({ severity }) => severity)).toEqual(['error', 'error', 'error']);
    expect(JSON.stringify(wrong)).toContain('client_id');
  }
  const stdio = read([{ name: 'x', type: 'stdio', server_parameters: { command: 'x', oauth } }]);
  expect(stdio.problems[0]?.severity).toBe('error');
});

verifies('LOGIN-CONFIG-01', 'the spellings of other tools are read', () => {
  const entry = (fields: object) => read({ mcpServers: { notes: { type: 'http', url, ...fields } } });
  const claude = entry({ oauth: { clientId: 'a2c', callbackPort: 7777 } });
  expect(claude).toMatchObject({ oauth: { client_id: 'a2c', redirect_port: 7777 }, problems: [] });
  const cursor = entry({ auth: { CLIENT_ID: 'a2c', CLIENT_SECRET: '${env:SECRET}', scopes: ['a', 'b'] } });
  expect(cursor.oauth).toEqual({ client_id: 'a2c', client_secret: '${env:SECRET}', scopes: ['a', 'b'] });
  const gemini = entry({ oauth: { enabled: true, clientId: 'a2c', scope: 'a b', tokenUrl: 'https://x.example' } });
  expect(gemini).toMatchObject({ oauth: { client_id: 'a2c', scopes: ['a', 'b'] }, problems: [] });
  expect(entry({ oauth: { enabled: true } })).toMatchObject({ oauth: undefined, problems: [] });
  expect(entry({ oauth: { clientIdd: 'x' } }).problems[0]).toMatchObject({ severity: 'warning' });
});

verifies('LOGIN-CONFIG-01', 'convert writes the settings, and names what the format cannot express', () => {
  const { config } = read({
    servers: [{ name: 'notes', type: 'streamable', server_parameters: { url, oauth } }],
    inputs: [{ id: 'secret', type: 'promptString', description: 'Secret', password: true }],
  });
  if (!config) throw new Error('not read');
  for (const format of ['a2c', 'v1', 'mcpServers'] as const) {
    const { document } = convertConfig(config, format);
    expect(read(document).oauth, format).toMatchObject({ client_id: 'a2c', scopes: ['notes:read'] });
  }
  const { document, losses } = convertConfig(config, 'vscode');
  expect(read(document).oauth).toEqual({ client_id: 'a2c' });
  expect(losses.map(({ field }) => field)).toEqual(
    expect.arrayContaining(['oauth.client_secret', 'oauth.scopes', 'oauth.redirect_port']),
  );
});

verifies('LOGIN-CONFIG-02', 'secrets are filled in, masked, and need trust', async () => {
  const { config } = read([{ name: 'notes', type: 'sse', server_parameters: { url, oauth } }]);
  const [server] = config?.servers ?? [];
  if (!config || !server) throw new Error('not read');
  const definition = {
    id: 'secret',
    type: 'promptString',
    description: '',
    default: 'hunter22',
    password: true,
  } as const;
  const inputs = new InputResolver([definition], { env: {} });
  const resolved = await resolveServer(server, { trusted: true, root: '/', inputs });
  expect(resolved.transport).toMatchObject({ oauth: { client_secret: 'hunter22', client_id: 'a2c' } });
  const literal = read([
    { name: 'notes', type: 'sse', server_parameters: { url, oauth: { client_id: 'a2c', client_secret: 'hunter22' } } },
  ]).config;
  if (!literal) throw new Error('not read');
  expect(JSON.stringify(maskConfig(literal))).not.toContain('hunter22');
  expect(JSON.stringify(maskConfig(literal))).toContain('"client_id":"a2c"');
  const refusals = new TrustGuard(UNTRUSTED).check(server);
  expect(refusals.map(({ message }) => message)).toContain(
    'oauth.client_secret contains a placeholder, which only a trusted source may use',
  );
});
