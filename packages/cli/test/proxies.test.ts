import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { promisify } from 'node:util';
import { verifies } from '@a2c/requirements';
import { allowAnonymous, type ListenOptions, listen } from '@a2c/server';
import { issue } from '@a2c/test-certificates';
import { expect, onTestFinished } from 'vitest';
import { COMMAND, Workplace } from './a2c.js';

async function signallingServer(options: Partial<ListenOptions> = {}): Promise<number> {
  const server = await listen({ port: 0, authenticate: allowAnonymous, ...options });
  onTestFinished(() => server.close());
  return Number(new URL(server.url).port);
}

/** A proxy for tunnels. It connects to this machine, whatever host it is asked for. */
async function startProxy() {
  const asked = new Set<string>();
  const proxy = createServer((_request, response) => response.writeHead(405).end());
  proxy.on('connect', ({ url = '' }, socket) => {
    asked.add(url);
    const onward = connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
    socket.on('close', () => onward.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { asked, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
}

verifies('LOGIN-NET-03', 'Agents, Computers and doctor reach the Server through the proxy', async () => {
  const port = await signallingServer({ hosts: ['office.test'] });
  const proxy = await startProxy();
  const url = `http://office.test:${port}`;
  const env = { HTTP_PROXY: proxy.url };
  const place = new Workplace();
  const room = ['agent', 'room', '--url', url, '--office', 'o', '--insecure', '--json'];
  const seen = await place.a2cWith(env, ...room);
  expect(seen).toMatchObject({ code: 0, stderr: '' });
  expect([...proxy.asked]).toEqual([`office.test:${port}`]);
  proxy.asked.clear();
  const { stdout } = await place.computer(
    [`socket connect`, 'socket join o pc'],
    ['--url', url, '--insecure', '--json'],
    env,
  );
  expect(stdout).toContain('"ok":true');
  expect([...proxy.asked]).toEqual([`office.test:${port}`]);
  proxy.asked.clear();
  const doctor = await place.a2cWith(env, 'doctor', '--url', url);
  expect(doctor.stdout).toContain('ready,');
  expect([...proxy.asked]).toEqual([`office.test:${port}`]);
  const direct = await place.a2cWith({ ...env, NO_PROXY: 'office.test' }, 'doctor', '--url', url);
  expect(direct.code).toBe(1);
});

verifies('LOGIN-NET-03', 'an authority in NODE_EXTRA_CA_CERTS is trusted by Agents and doctor', async () => {
  const authority = issue('authority');
  const { cert, key } = issue('127.0.0.1', authority);
  const place = new Workplace({ 'ca.pem': authority.cert, 'cert.pem': cert, 'key.pem': key });
  const port = await signallingServer({ tls: { cert: place.path('cert.pem'), key: place.path('key.pem') } });
  const url = `https://127.0.0.1:${port}`;
  const run = (args: readonly string[], ca: NodeJS.ProcessEnv) =>
    promisify(execFile)(process.execPath, [COMMAND, ...args], {
      env: { ...process.env, A2C_HOME: place.home, ...ca },
    }).then(
      () => 0,
      ({ code }) => code as number,
    );
  const trusted = { NODE_EXTRA_CA_CERTS: place.path('ca.pem') };
  for (const args of [
    ['agent', 'room', '--url', url, '--office', 'o'],
    ['doctor', '--url', url],
  ]) {
    expect([args[0], await run(args, {})]).toEqual([args[0], 1]);
    expect([args[0], await run(args, trusted)]).toEqual([args[0], 0]);
  }
});
