import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PeerCertificate, connect as tlsConnect } from 'node:tls';
import { verifies } from '@a2c/requirements';
import { allowAnonymous, apiKey, authFile, firstOf, type Handshake, hashApiKey, jwt, listen } from '@a2c/server';
import { issue } from '@a2c/test-certificates';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { ask, CALL, eventually, next, serve, until } from './harness.js';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-server-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Ends what watches a file of the test. */
function untilTestEnds(): AbortSignal {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  return controller.signal;
}

const refused = (code: number) => ({
  message: 'Invalid connection request',
  data: expect.objectContaining({ code, error: expect.objectContaining({ code }) }),
});

verifies('SEC-IDENTITY-01', 'equal subjects of different authenticators are different identities', async () => {
  const folder = temporaryFolder();
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  writeFileSync(
    join(folder, 'jwks.json'),
    JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256' }] }),
  );
  const keys = ['pc', 'pc', 'api-key', 'anonymous'].map((subject, i) => ({ subject, sha256: hashApiKey(`key-${i}`) }));
  writeFileSync(join(folder, 'auth.json'), JSON.stringify({ keys, certificates: [{ subject: 'pc' }] }));
  const file = await authFile({ path: join(folder, 'auth.json'), signal: untilTestEnds() });
  const certificate = { subject: { CN: 'pc' }, valid_to: 'Jan  1 00:00:00 2100 GMT' } as PeerCertificate;
  const tokens = jwt({ jwks: join(folder, 'jwks.json'), audience: 'a2c' });
  const server = await serve({
    authenticate: firstOf([
      (handshake) => file(handshake.auth.certificate ? { ...handshake, certificate } : handshake),
      tokens,
      apiKey('one-for-all'),
      ({ auth }) => (auth.custom ? { subject: String(auth.custom) } : undefined),
      ({ auth }) => (auth.unknown ? allowAnonymous({} as Handshake) : undefined),
    ]),
  });
  const token = (subject: string) =>
    new SignJWT()
      .setProtectedHeader({ alg: 'ES256' })
      .setSubject(subject)
      .setAudience('a2c')
      .setExpirationTime('1h')
      .sign(privateKey);
  const as = (auth: object) => server.member('computer', 'pc', 'o', { auth });
  const first = await as({ token: 'key-0' });
  const taken = /403 .*already exists/;
  await expect(as({ token: await token('pc') })).rejects.toThrow(taken);
  await expect(as({ custom: 'pc' })).rejects.toThrow(taken);
  const [second] = await Promise.all([as({ token: 'key-1' }), next(first, 'disconnect')]);
  const [third] = await Promise.all([as({ certificate: true }), next(second, 'disconnect')]);
  expect(server.audit.map(({ subject }) => subject)).toContain('pc');

  for (const [subject, auth] of Object.entries({ 'api-key': { token: 'one-for-all' }, anonymous: { unknown: true } })) {
    const office = { role: 'computer', name: subject, office_id: 'o' };
    const holder = await server.connect({ auth: { ...auth, instance: 'i' } });
    expect(await ask(holder, 'server:join_office', office)).toEqual([true, null]);
    for (const other of [await token(subject), `key-${subject === 'api-key' ? 2 : 3}`]) {
      const stranger = await server.connect({ auth: { token: other, instance: 'i' } });
      expect(await ask(stranger, 'server:join_office', office)).toEqual([false, expect.stringMatching(taken)]);
    }
  }
  expect(third.connected).toBe(true);
});

describe('API keys', () => {
  verifies(
    ['SRV-AUTH-01', 'SRV-AUTH-06', 'W-PY-16', 'W-RS-01', 'W-RS-07'],
    'are accepted in a header, as bearer token and in auth; others are refused with a reason',
    async () => {
      const server = await serve({ authenticate: apiKey('k3y-for-all') });
      const places = [
        { extraHeaders: { 'x-api-key': 'k3y-for-all' } },
        { extraHeaders: { Authorization: 'Bearer k3y-for-all' } },
        { auth: { api_key: 'k3y-for-all' } },
        { auth: { token: 'k3y-for-all' } },
      ];
      for (const place of places) await server.member('computer', `pc${places.indexOf(place)}`, 'o', place);
      for (const wrong of [
        {},
        { auth: { api_key: 'wrong' } },
        { auth: { api_key: ['k3y-for-all'] } },
        { query: { api_key: 'k3y-for-all' } },
      ]) {
        await expect(server.connect(wrong)).rejects.toMatchObject(refused(401));
      }
      expect(server.audit).toContainEqual(
        expect.objectContaining({ event: 'connect', verdict: 'Unauthorized', code: 401 }),
      );
      expect(JSON.stringify([server.audit, server.logs])).not.toContain('k3y-for-all');
    },
  );

  verifies(
    ['SRV-AUTH-01', 'SRV-AUTH-04', 'SMCP-SEC-05', 'SMCP-JOIN-03'],
    'of a file restrict role, office and name',
    async () => {
      const path = join(temporaryFolder(), 'auth.json');
      const keys = [
        { subject: 'cloud', sha256: hashApiKey('agent-key'), roles: ['agent'], offices: ['team-a/*'] },
        { subject: 'fleet', sha256: hashApiKey('fleet-key'), roles: ['computer'], names: ['pc-*-eu'] },
        { subject: 'past', sha256: hashApiKey('old-key'), expires: '2001-01-01T00:00:00Z' },
      ];
      writeFileSync(path, JSON.stringify({ keys }));
      const server = await serve({
        authenticate: await authFile({ path, header: 'x-fleet', signal: untilTestEnds() }),
      });
      const as = (key: string) => ({ extraHeaders: { 'x-fleet': key } });
      await server.member('agent', 'a', 'team-a/1', as('agent-key'));
      await server.member('computer', 'pc-7-eu', 'anywhere', as('fleet-key'));
      await expect(server.member('agent', 'a', 'team-b/1', as('agent-key'))).rejects.toThrow(
        /403 .*may not join office/,
      );
      await expect(server.member('computer', 'x', 'team-a/1', as('agent-key'))).rejects.toThrow(
        /403 .*may not join as computer/,
      );
      await expect(server.member('computer', 'pc-7-us', 'o', as('fleet-key'))).rejects.toThrow(
        /403 .*may not use the name/,
      );
      await expect(server.connect(as('old-key'))).rejects.toMatchObject(refused(401));
    },
  );

  verifies(
    ['SCOPE-AGENT-01', 'SCOPE-TOOLS-01'],
    'of a file restrict the tools of an Agent, which cannot use the name of another',
    async () => {
      const path = join(temporaryFolder(), 'auth.json');
      const tools = ['read_*', 'write', '!read_secret'];
      const keys = [
        { subject: 'intern', sha256: hashApiKey('I'), roles: ['agent'], names: ['intern'], tools, servers: ['!shell'] },
        { subject: 'pc', sha256: hashApiKey('P') },
      ];
      writeFileSync(path, JSON.stringify({ keys }));
      const authenticate = await authFile({ path, signal: untilTestEnds() });
      const server = await serve({ authenticate, officePolicy: () => ({ agents: 'many' }) });
      const computer = await server.member('computer', 'pc', 'o', { auth: { api_key: 'P', adapts: true } });
      const agent = await server.member('agent', 'intern', 'o', { auth: { api_key: 'I' } });
      const received: unknown[] = [];
      computer.on('client:tool_call', (request, ack) => {
        received.push(request);
        ack({ content: [], isError: false });
      });
      const listed = [
        { name: 'read_file', meta: { a2c_tool_meta: JSON.stringify({ alias: 'rf' }) } },
        { name: 'read_secret', meta: { a2c_tool_meta: JSON.stringify({ alias: 'read_s' }) } },
        { name: 'read_output', bundle_id: 'shell' },
      ];
      const call = async (tool_name: string, extra = {}) =>
        (await ask(agent, 'client:tool_call', { ...CALL, agent: 'CEO', tool_name, ...extra }))[0];
      expect(await call('read_file', { agent_scope: { tools: ['*'] }, robot_id: 'CEO' })).toMatchObject({
        isError: false,
      });
      expect(received).toEqual([
        {
          ...CALL,
          agent: 'intern',
          robot_id: 'intern',
          tool_name: 'read_file',
          agent_scope: { tools, servers: ['!shell'] },
        },
      ]);
      for (const tool of ['delete', 'read_secret'])
        expect(await call(tool)).toMatchObject({ code: 403, isError: true });
      // Only the Computer knows which tool has this name.
      expect(await call('files__read_file', { req_id: 'r0' })).toMatchObject({ isError: false });
      expect(received.at(-1)).toMatchObject({ agent_scope: { tools, servers: ['!shell'] } });

      computer.on('client:get_tools', (_request, ack) =>
        ack({
          tools: listed.map((tool) => ({ description: '', params_schema: {}, return_schema: null, ...tool })),
          req_id: 'r1',
        }),
      );
      await ask(agent, 'client:get_tools', { ...CALL, agent: 'intern' });
      expect(await call('rf', { req_id: 'r2' })).toMatchObject({ isError: false });
      for (const tool of ['read_s', 'read_output'])
        expect(await call(tool)).toMatchObject({ code: 403, isError: true });

      // The list of a restricted Agent may lack tools that others may use.
      const other = await server.member('agent', 'other', 'o', { auth: { api_key: 'P' } });
      const unlisted = { ...CALL, agent: 'other', tool_name: 'delete', req_id: 'r3' };
      expect(await ask(other, 'client:tool_call', unlisted)).toMatchObject([{ isError: false }]);
      await ask(other, 'client:get_tools', { ...CALL, agent: 'other' });
      expect(await ask(other, 'client:tool_call', { ...unlisted, req_id: 'r4' })).toMatchObject([{ code: 404 }]);
    },
  );

  verifies('FILE-KEYS-01', 'are not read from a FIFO or from a file that every user may change', async () => {
    const folder = temporaryFolder();
    const [fifo, open] = [join(folder, 'fifo'), join(folder, 'open.json')];
    execFileSync('mkfifo', [fifo]);
    writeFileSync(open, '{}');
    chmodSync(open, 0o666);
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    for (const [path, problem] of [
      [fifo, /not a regular file/],
      [open, /chmod o-w/],
    ] as const) {
      await expect(authFile({ path })).rejects.toThrow(problem);
      expect(() => jwt({ jwks: path, audience: 'a2c' })).toThrow(problem);
      await expect(
        listen({ port: 0, authenticate: allowAnonymous, logger, tls: { cert: path, key: path } }),
      ).rejects.toThrow(problem);
    }
  });

  verifies('FILE-KEYS-01', 'are not read from a file of another user', async () => {
    const path = join(temporaryFolder(), 'keys.json');
    writeFileSync(path, '{}');
    const stats = statSync(path);
    await authFile({ path, signal: untilTestEnds() });
    // A process of root can give the file away; for another one, the file becomes that of another user.
    if (stats.uid === 0) chownSync(path, 65_534, stats.gid);
    else vi.spyOn(process, 'geteuid').mockReturnValue(stats.uid + 1);
    onTestFinished(() => void vi.restoreAllMocks());
    await expect(authFile({ path })).rejects.toThrow(/can be changed by its owner, user \d+; run: chown \d+ /);
  });

  verifies('SRV-AUTH-01', 'are read again when the file changes; an invalid file is reported and ignored', async () => {
    const path = join(temporaryFolder(), 'auth.json');
    const write = (...keys: string[]) =>
      writeFileSync(path, JSON.stringify({ keys: keys.map((key) => ({ subject: key, sha256: hashApiKey(key) })) }));
    write('one');
    const problems: Error[] = [];
    const signal = untilTestEnds();
    const onError = (error: Error) => problems.push(error);
    const server = await serve({ authenticate: await authFile({ path, signal, onError }) });
    const as = (key: string) => ({ auth: { api_key: key } });
    await expect(server.connect(as('two'))).rejects.toThrow();
    write('one', 'two');
    await server.connect(as('two'));
    writeFileSync(path, '{ "keys": [ { "subject": "x" } ] }');
    await server.connect(as('two'));
    expect(problems.map(({ message }) => message)).toEqual([
      `${path}: /keys/0/sha256: expected the SHA-256 of the key as 64 hex digits`,
    ]);
    write('one');
    await expect(server.connect(as('two'))).rejects.toThrow();
  });

  verifies('SRV-AUTH-01', 'are those of the last change, however long a former version takes to read', async () => {
    const path = join(temporaryFolder(), 'auth.json');
    const entry = (key: string) => ({ subject: key, sha256: hashApiKey(key) });
    const others = Array.from({ length: 5_000 }, (_, at) => entry(`other ${at}`));
    const replace = (keys: readonly object[]) => {
      writeFileSync(`${path}.new`, JSON.stringify({ keys }), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    };
    replace([entry('one')]);
    const authenticate = await authFile({ path, signal: untilTestEnds() });
    const as = async (api_key: string) =>
      (await authenticate({ auth: { api_key }, headers: {} } as never)) !== undefined;
    for (let round = 0; round < 10; round++) {
      replace([...others.slice(round), entry('evil')]);
      const first = as('one');
      // Its file is open by now; what follows is read meanwhile.
      await readFile(path);
      replace([entry('one'), entry(`round ${round}`)]);
      await Promise.all([first, as('one'), as('one')]);
      expect(await as('evil')).toBe(false);
    }
  });

  verifies('SRV-AUTH-01', 'an invalid file is refused with the path of the problem', async () => {
    const path = join(temporaryFolder(), 'auth.json');
    const sha256 = hashApiKey('x');
    const wrong: readonly (readonly [string, RegExp])[] = [
      ['nonsense', /auth\.json:1:1: not JSON: expected a value/],
      ['{\n  "keys": [],\n  7', /auth\.json:3:3: not JSON: expected a key/],
      ['[]', /: \/: expected an object/],
      ['{"users":[]}', /\/users: unknown key/],
      ['{"keys":{}}', /\/keys: expected an array/],
      [JSON.stringify({ keys: [{ subject: '', sha256 }] }), /\/keys\/0\/subject: expected a name/],
      [
        JSON.stringify({ keys: [{ subject: 'a', sha256, roles: ['root'] }] }),
        /\/keys\/0\/roles: expected some of agent, computer/,
      ],
      [JSON.stringify({ keys: [{ subject: 'a', sha256, expires: 'soon' }] }), /\/keys\/0\/expires/],
      [JSON.stringify({ keys: [{ subject: 'a', sha256, role: 'agent' }] }), /\/keys\/0\/role: unknown key/],
    ];
    for (const [text, problem] of wrong) {
      writeFileSync(path, text);
      await expect(authFile({ path })).rejects.toThrow(problem);
    }
  });
});

describe('JSON Web Tokens', () => {
  const tokens = async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' }] };
    const mint = (claims: Record<string, unknown>, expires: string | number = '1h', audience = 'a2c') =>
      new SignJWT({ sub: 'ann', ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
        .setAudience(audience)
        .setExpirationTime(expires)
        .sign(privateKey);
    return { jwks, mint };
  };

  verifies(
    ['SRV-AUTH-02', 'SRV-AUTH-04'],
    'restrict by their claims; forged and expired ones and those of another audience are refused',
    async () => {
      const { jwks, mint } = await tokens();
      const path = join(temporaryFolder(), 'jwks.json');
      writeFileSync(path, JSON.stringify(jwks));
      const server = await serve({ authenticate: jwt({ jwks: path, audience: 'a2c' }) });
      const as = (token: string) => ({ auth: { token } });
      const token = await mint({ roles: ['agent'], offices: 'o1 o2' });
      await server.member('agent', 'a', 'o1', as(token));
      await expect(server.member('agent', 'a', 'o3', as(token))).rejects.toThrow(/403/);
      await expect(server.member('computer', 'a', 'o1', as(token))).rejects.toThrow(/403/);
      await expect(server.member('agent', 'b', 'o2', as(await mint({ roles: 7 })))).rejects.toThrow(/403/);
      const forger = await tokens();
      for (const bad of [
        await forger.mint({}),
        await mint({}, '1h', 'other'),
        await mint({}, 1),
        await mint({}, -1e18),
        await mint({}, 1e18),
        await mint({ sub: 7 }),
        await mint({ sub: '' }),
        `${token.slice(0, -4)}AAAA`,
        'a.b.c',
        'opaque',
      ]) {
        await expect(server.connect(as(bad))).rejects.toMatchObject(refused(401));
      }
    },
  );

  verifies(
    'SRV-AUTH-02',
    'are verified with keys from a URL, and the connection is closed when they expire',
    async () => {
      const { jwks, mint } = await tokens();
      const keyServer = createServer((_request, response) => response.end(JSON.stringify(jwks))).listen(0, '127.0.0.1');
      onTestFinished(() => void keyServer.close());
      await until(() => keyServer.listening);
      const url = `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/jwks`;
      const server = await serve({ authenticate: firstOf([apiKey('spare'), jwt({ jwks: url, audience: 'a2c' })]) });
      const socket = await server.member('agent', 'a', 'o', {
        auth: { token: await mint({}, Math.floor(Date.now() / 1_000) + 5) },
      });
      expect(await next(socket, 'disconnect')).toBe('io server disconnect');
      await server.connect({ auth: { api_key: 'spare' } });
    },
  );

  verifies('SRV-AUTH-06', 'a key server that sends without end is an internal error', async () => {
    const { mint } = await tokens();
    let sent = 0;
    const keyServer = createServer((_request, response) => {
      const more = () => {
        sent += 2 ** 16;
        if (response.write(' '.repeat(2 ** 16))) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void keyServer.close());
    await until(() => keyServer.listening);
    const url = `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/jwks`;
    const server = await serve({ authenticate: jwt({ jwks: url, audience: 'a2c' }) });
    await expect(server.connect({ auth: { token: await mint({}) } })).rejects.toMatchObject(refused(500));
    // What was read, and what the sockets buffer.
    expect(sent).toBeLessThan(32 * 2 ** 20);
    expect(server.logs).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'internal error while authenticating' }),
    );
  });

  verifies('SRV-AUTH-06', 'an unreachable key server is an internal error, not a refusal', async () => {
    const { mint } = await tokens();
    const server = await serve({ authenticate: jwt({ jwks: 'http://127.0.0.1:1/jwks', audience: 'a2c' }) });
    await expect(server.connect({ auth: { token: await mint({}) } })).rejects.toMatchObject(refused(500));
    expect(server.logs).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'internal error while authenticating' }),
    );
  });
});

describe('TLS', () => {
  const files = () => {
    const folder = temporaryFolder();
    const ca = issue('Test CA');
    const write = (name: string, text: string) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    };
    const host = issue('server-1', ca);
    return {
      ca,
      write,
      tls: { cert: write('cert.pem', host.cert), key: write('key.pem', host.key), clientCa: write('ca.pem', ca.cert) },
    };
  };

  verifies(
    ['SRV-AUTH-03', 'SMCP-SEC-01', 'SMCP-SEC-02'],
    'with client certificates accepts subjects of the file, signed by the authority',
    async () => {
      const { ca, write, tls } = files();
      const path = write(
        'auth.json',
        JSON.stringify({ keys: [], certificates: [{ subject: 'pc-7', roles: ['computer'], names: ['pc-7'] }] }),
      );
      const server = await serve({ tls, authenticate: await authFile({ path, signal: untilTestEnds() }) });
      expect(server.url).toMatch(/^https:/);
      const as = ({ cert, key }: { cert: string; key: string }) => ({ ca: ca.cert, cert, key });
      await server.member('computer', 'pc-7', 'o', as(issue('pc-7', ca)));
      const polling = { ...as(issue('pc-7', ca)), transports: ['polling'] };
      await server.member('computer', 'pc-7', 'over-polling', polling);
      await expect(server.member('computer', 'pc-8', 'o', as(issue('pc-7', ca)))).rejects.toThrow(/403/);
      await expect(server.connect(as(issue('pc-9', ca)))).rejects.toMatchObject(refused(401));
      await expect(server.connect(as(issue('pc-7', issue('Other CA'))))).rejects.toThrow(/websocket error/);
      await expect(server.connect({ ca: ca.cert })).rejects.toThrow(/websocket error/);
    },
  );

  verifies(
    'SRV-TLS-01',
    'reloads its certificate while connections stay open, and keeps the old one if the new one is invalid',
    async () => {
      const { ca, write, tls } = files();
      const server = await serve({ tls: { cert: tls.cert, key: tls.key } });
      const member = await server.member('agent', 'a', 'o', { ca: ca.cert });
      const subject = () =>
        new Promise<string>((resolve, reject) => {
          const socket = tlsConnect({ port: Number(new URL(server.url).port), host: '127.0.0.1', ca: ca.cert }, () => {
            resolve((socket.getPeerCertificate() as PeerCertificate).subject.CN as string);
            socket.destroy();
          });
          socket.on('error', reject);
        });
      expect(await subject()).toBe('server-1');
      write('cert.pem', 'broken');
      await until(() => server.logs.some(({ level }) => level === 'error'));
      expect(await subject()).toBe('server-1');
      const renewed = issue('server-2', ca);
      write('key.pem', renewed.key);
      write('cert.pem', renewed.cert);
      await until(() => server.logs.some(({ message }) => message === 'certificates reloaded'));
      await eventually(async () => expect(await subject()).toBe('server-2'));
      expect(await ask(member, 'server:leave_office', { office_id: 'o' })).toEqual([true, null]);
    },
  );

  verifies(
    ['SRV-AUTH-05', 'SMCP-SEC-01'],
    'and authentication are required on addresses other than loopback',
    async () => {
      const { tls } = files();
      const refusals = [
        { host: '0.0.0.0', authenticate: apiKey('k') },
        { host: '::', authenticate: apiKey('k') },
        { host: '0.0.0.0', tls, authenticate: allowAnonymous },
      ];
      for (const options of refusals)
        await expect(listen({ port: 0, ...options })).rejects.toThrow(/refusing to serve .*--insecure/);
      await serve({ host: '0.0.0.0', tls, authenticate: apiKey('k') });
      await serve({ host: '0.0.0.0', allowInsecure: true });
      await serve({ host: 'localhost' });
    },
  );
});
