import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { SMCPError } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { issue } from '@a2c/test-certificates';
import { expect, onTestFinished } from 'vitest';
import { withRemedy } from '../src/explain-error.js';
import { readOfficeOptions } from '../src/office-options.js';
import { Workplace } from './a2c.js';

/** Listens on a free port until the test ends. */
async function port(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

verifies('NEW-ERROR-02', 'a failed connection to a Server or an MCP server names its remedy', async () => {
  const place = new Workplace();
  const room = async (url: string) => {
    const { code, stderr } = await place.a2c('agent', 'room', '--office', 'demo', '--url', url);
    expect(code).toBe(1);
    return stderr;
  };
  const http = await port(createHttpServer());
  expect(await room(`https://127.0.0.1:${http}`)).toBe(
    `503 cannot reach https://127.0.0.1:${http}: the server there does not use TLS; use http:// instead of https://\n`,
  );
  const closing = await port(createServer((socket) => socket.on('data', () => socket.destroy())));
  expect(await room(`http://127.0.0.1:${closing}`)).toMatch(/socket hang up; .* check the port, and use https:\/\//);
  const authority = issue('authority');
  const { cert, key } = issue('localhost', authority);
  const https = await port(createHttpsServer({ cert, key }, (_request, response) => void response.end()));
  expect(await room(`https://127.0.0.1:${https}`)).toMatch(/authority of its certificate is unknown; .* --tls-ca FILE/);
  expect(await room('https://no-such-host.invalid')).toContain('check the host name and your network connection');

  const answering = async (status: number) => {
    const server = createHttpServer((_request, response) => response.writeHead(status).end('<h1>Refused</h1>'));
    return room(`http://127.0.0.1:${await port(server)}`);
  };
  expect(await answering(401)).toMatch(/: HTTP 401; .* requires credentials; .* --api-key, .* --headers\n$/);
  expect(await answering(404)).toMatch(/: HTTP 404; there is no signalling server there; check the URL\n$/);

  const tools = async (url: string) => (await place.a2c('mcp', 'tools', '--url', url)).stderr;
  expect(await tools(`https://127.0.0.1:${http}/mcp`)).toContain('does not use TLS; use http:// instead of https://\n');
  expect(await tools(`http://127.0.0.1:${closing}/mcp`)).toMatch(/closed the connection .* use https:\/\//);
  expect(await tools(`https://127.0.0.1:${https}/mcp`)).toContain('name the authority in NODE_EXTRA_CA_CERTS');
  expect(await tools('https://no-such-host.invalid/mcp')).toContain('the host ');

  place.write('ca.pem', authority.cert);
  place.write('key.pem', key);
  const web = (port: number) => ({ type: 'http', url: `https://127.0.0.1:${port}/mcp` });
  place.write('web.json', JSON.stringify({ mcpServers: { clear: web(http), unknown: web(https) } }));
  const { stdout } = await place.a2c('doctor', '--config', 'web.json', '--url', `https://localhost:${https}`);
  expect(stdout).toMatch(/"clear": cannot reach \S+: the server there does not use TLS\n {5}→ use http:\/\/ instead/);
  expect(stdout).toMatch(
    /"unknown": cannot reach \S+: its certificate is not trusted\n {5}→ name the authority in NODE_/,
  );
  expect(stdout).toMatch(
    /the authority of its certificate is unknown\n {5}→ give the certificate with --tls-ca FILE\n/,
  );
  const checked = async (ca: string) => place.a2c('doctor', '--url', `https://localhost:${https}`, '--tls-ca', ca);
  expect(await checked('ca.pem')).toMatchObject({ code: 0, stdout: expect.stringContaining('ready,') });
  expect(await checked('key.pem')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--tls-ca: there is no certificate in "key.pem"; expected PEM'),
  });
});

verifies('NEW-ERROR-02', 'the remedy is in the error of every attempt', () => {
  const failed = (code: string, reason: string) =>
    withRemedy(new SMCPError('Unavailable', `cannot reach https://h:1: ${reason}`, { details: { code } })).message;
  expect(failed('EPROTO', 'write EPROTO 80DC:error:0A00010B:SSL routines:\nx.c:1:')).toBe(
    'cannot reach https://h:1: the server there does not use TLS; use http:// instead of https://',
  );
  expect(failed('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate')).toBe(
    'cannot reach https://h:1: self-signed certificate; the authority of its certificate is unknown; give the certificate with --tls-ca FILE',
  );
  expect(failed('EWHATEVER', 'odd')).toBe('cannot reach https://h:1: odd');
  expect(readOfficeOptions({}).explain).toBe(withRemedy);
});

verifies('NEW-ERROR-03', 'with --json, an error is also a JSON object on stdout', async () => {
  const place = new Workplace();
  const server = createHttpServer((_request, response) => response.writeHead(404).end());
  const missing = `http://127.0.0.1:${await port(server)}/mcp`;
  const failures: readonly (readonly [code: number, error: object, ...args: string[]])[] = [
    [
      1,
      { code: 503, message: expect.stringContaining('nothing listens there') },
      'agent',
      'room',
      '--office',
      'demo',
      '--url',
      'http://127.0.0.1:1',
    ],
    [1, { code: 404, message: expect.any(String) }, 'mcp', 'tools', '--url', missing],
    [2, { message: expect.stringContaining('no configuration found') }, 'mcp', 'tools'],
    [2, { message: expect.stringContaining("unknown option '--nonsense'") }, 'mcp', 'tools', '--nonsense'],
  ];
  for (const [code, error, ...args] of failures) {
    const failed = await place.a2c(...args, '--json');
    expect([failed.code, JSON.parse(failed.stdout)]).toEqual([code, { error }]);
    expect(failed.stderr).not.toBe('');
    expect((await place.a2c(...args)).stdout).toBe('');
  }
});
