import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { maskConfig, secretValues } from '../src/index.js';
import { read } from './reading.js';

verifies('CONF-SHOW-01', 'masks secrets, but not placeholders and ordinary texts', () => {
  const secret = 'S3CRET';
  const config = read({
    servers: {
      s: {
        command: 'npx',
        args: [
          ...['-y', 'pkg', '--verbose', '--api-key', secret, `--token=${secret}`, `API_KEY=${secret}`],
          ...[
            '--header',
            `Authorization: Bearer ${secret}`,
            `https://u:${secret}@h.example/${secret}0123456789abcdef0123456789abcdef/p?key=${secret}#x`,
          ],
          ...[`sk-${secret}`, `ghp_${secret}`, `${secret}0123456789abcdef0123456789abcdef`, '--api-key', '${input:k}'],
        ],
        env: { PLAIN_NAME: secret, K: '${input:k}', D: `\${X:-${secret}}`, MIXED: `${secret}\${input:k}` },
      },
      t: {
        url: `https://u:${secret}@h.example/mcp?token=${secret}&k=\${env:K}`,
        headers: { 'X-Anything': secret, Authorization: 'Bearer ${input:k}' },
      },
    },
    inputs: [{ type: 'promptString', id: 'k', password: true, default: secret }],
  });
  const masked = maskConfig(config);
  expect(JSON.stringify(masked)).not.toContain(secret);
  expect(masked.servers[0]?.transport).toMatchObject({
    argv: expect.arrayContaining(['npx', '-y', 'pkg', '--verbose', '--token=********', '${input:k}']),
    env: { PLAIN_NAME: '********', K: '${input:k}', D: '${X:-********}', MIXED: '${input:k}********' },
  });
  expect(masked.servers[1]?.transport).toMatchObject({
    url: 'https://********@h.example/mcp?token=********&k=${env:K}',
    http_headers: { 'X-Anything': '********', Authorization: 'Bearer ${input:k}' },
  });
});

verifies('CONF-SHOW-01', 'masks every transport and the commands of inputs', () => {
  const secret = 'S3CRET';
  const url = `https://e.example/?key=${secret}`;
  const headers = { 'X-Key': secret };
  const config = read({
    servers: [
      { name: 'a', type: 'sse', url, headers },
      { name: 'b', type: 'streamable', url, sse_url: url, headers },
      { name: 'c', type: 'unix', unix_path: '/run/c.sock' },
    ],
    inputs: [{ id: 'i', type: 'command', command: `vault --token ${secret} read`, args: { path: secret } }],
  });
  const masked = maskConfig(config);
  expect(JSON.stringify(masked)).not.toContain(secret);
  expect(masked.servers[2]).toEqual(config.servers[2]);
  expect(masked.inputs).toMatchObject([{ command: 'vault --token ******** read', args: { path: '********' } }]);
});

verifies('CONF-SHOW-01', 'finds the secrets that logs and errors must not contain, in each form', () => {
  const { servers } = read({
    servers: {
      s: {
        command: 'npx',
        args: ['-y', 'pkg', '--api-key', 'flag-secret', '--token=joined', 'https://u:pa%20ss@h.example/?key=of-args'],
        env: { TOKEN: 'of-env', LOG_LEVEL: 'debug', HOME: '/' },
      },
      t: {
        url: 'https://user:hunter22@h.example/mcp?token=a%2Fb-query&page=second',
        headers: { Authorization: 'Bearer of-header' },
        oauth: { client_id: 'public', client_secret: 'of-client' },
      },
    },
  });
  const found = servers.map(secretValues);
  expect(found[0]).toEqual(
    expect.arrayContaining(['flag-secret', 'joined', 'pa%20ss', 'pa ss', 'u:pa%20ss', 'of-args', 'of-env']),
  );
  expect(found[1]).toEqual(
    expect.arrayContaining(['hunter22', 'user:hunter22', 'a%2Fb-query', 'a/b-query', 'of-header', 'of-client']),
  );
  for (const ordinary of ['npx', 'pkg', 'debug', '/', 'public', 'second', 'u', 'user']) {
    expect(found.flat()).not.toContain(ordinary);
  }
});

verifies('CONF-SHOW-01', 'finds secrets as programs print them in JSON and base64', () => {
  const secret = 'line one\nsays "two"\\???>>>';
  const { servers } = read({
    servers: { s: { command: 'npx', env: { TOKEN: secret, LEVEL: 'debug', SHORT: 'abc' } } },
  });
  const found = servers.flatMap(secretValues);
  const bytes = Buffer.from(secret);
  expect(found).toEqual(
    expect.arrayContaining([
      secret,
      'line one\\nsays \\"two\\"\\\\???>>>',
      bytes.toString('base64'),
      bytes.toString('base64url'),
    ]),
  );
  expect(found.map(({ length }) => length)).toEqual(found.map(({ length }) => length).toSorted((a, b) => b - a));
  for (const ordinary of ['debug', 'abc']) expect(found).not.toContain(Buffer.from(ordinary).toString('base64'));
});
