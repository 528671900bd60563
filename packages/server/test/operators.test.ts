import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { addKey, apiKey, authFile, hashApiKey, jwt, newApiKey } from '@a2c/server';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, onTestFinished } from 'vitest';
import { ask, next, serve, until } from './harness.js';

function temporaryFile(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-operators-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, name);
}

interface Key {
  readonly subject: string;
  readonly [field: string]: unknown;
}

/** A key file in which each key is `k-<subject>`. */
function keyFile() {
  const path = temporaryFile('keys.json');
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const write = (...keys: Key[]) =>
    writeFileSync(
      path,
      JSON.stringify({ keys: keys.map((key) => ({ sha256: hashApiKey(`k-${key.subject}`), ...key })) }),
    );
  const authenticate = () => authFile({ path, signal: controller.signal });
  return { path, write, authenticate };
}

const as = (subject: string) => ({ auth: { api_key: `k-${subject}` } });
const bearer = (subject: string) => ({ headers: { authorization: `Bearer k-${subject}` } });

describe('the key file', () => {
  verifies('SRV-AUTH-07', 'sessions of a removed or changed key end, others stay', async () => {
    const { write, authenticate } = keyFile();
    const pc = { subject: 'pc', roles: ['computer'] };
    write({ subject: 'ann' }, { subject: 'gone' }, pc);
    const server = await serve({ authenticate: await authenticate() });
    const ann = await server.member('agent', 'a', 'o', as('ann'));
    const gone = await server.member('computer', 'gone', 'o', as('gone'));
    const changed = await server.member('computer', 'pc', 'o', as('pc'));
    const ends = Promise.all([next(gone, 'disconnect'), next(changed, 'disconnect')]);
    // No handshake happens: the file is watched.
    write({ subject: 'ann' }, { ...pc, offices: ['elsewhere'] });
    expect(await ends).toEqual(['io server disconnect', 'io server disconnect']);
    expect(ann.connected).toBe(true);
    await expect(server.connect(as('gone'))).rejects.toThrow();
    await expect(server.member('computer', 'pc', 'o', as('pc'))).rejects.toThrow(/may not join office/);
    expect(await server.server.metrics.text()).toMatch(/^a2c_refused_total\{reason="revoked"\} 2$/m);
    expect(server.logs.filter(({ message }) => message === 'session ended')).toEqual([
      expect.objectContaining({ subject: 'gone', reason: 'revoked' }),
      expect.objectContaining({ subject: 'pc', reason: 'revoked' }),
    ]);
  });

  verifies('SRV-AUTH-07', 'an invalid file ends no session', async () => {
    const { path, write } = keyFile();
    write({ subject: 'ann' });
    const problems: Error[] = [];
    const controller = new AbortController();
    onTestFinished(() => controller.abort());
    const authenticate = await authFile({ path, signal: controller.signal, onError: (error) => problems.push(error) });
    const server = await serve({ authenticate });
    const ann = await server.member('agent', 'a', 'o', as('ann'));
    writeFileSync(path, '{ "keys": [');
    await until(() => problems.length > 0);
    rmSync(path);
    await until(() => problems.length > 1);
    expect(ann.connected).toBe(true);
    await server.connect(as('ann'));
    expect(problems).toHaveLength(2);
  });

  verifies('SRV-AUTH-07', 'a running Server accepts a key that is added to the file', async () => {
    const { path, write, authenticate } = keyFile();
    write({ subject: 'ann' });
    const server = await serve({ authenticate: await authenticate() });
    const ann = await server.member('agent', 'a', 'o', as('ann'));
    const { key, entry } = newApiKey({ subject: 'pc', roles: ['computer'] });
    await addKey(path, entry);
    await server.member('computer', 'pc', 'o', { auth: { api_key: key } });
    expect(ann.connected).toBe(true);
  });
});

describe('expired credentials', () => {
  verifies('SRV-AUTH-08', 'are refused with 401 and the time of expiry', async () => {
    const { write, authenticate } = keyFile();
    write({ subject: 'past', expires: '2001-02-03T04:05:06Z' });
    const keys = await serve({ authenticate: await authenticate() });
    await expect(keys.connect(as('past'))).rejects.toMatchObject({
      data: { code: 401, message: expect.stringContaining('this key expired at 2001-02-03T04:05:06.000Z') },
    });

    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const jwks = temporaryFile('jwks.json');
    writeFileSync(jwks, JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256' }] }));
    const mint = (audience: string) =>
      new SignJWT({})
        .setProtectedHeader({ alg: 'ES256' })
        .setSubject('ann')
        .setAudience(audience)
        .setExpirationTime(1_000_000_000)
        .sign(privateKey);
    const tokens = await serve({ authenticate: jwt({ jwks, audience: 'a2c' }) });
    await expect(tokens.connect({ auth: { token: await mint('a2c') } })).rejects.toMatchObject({
      data: { code: 401, message: expect.stringContaining('the token expired at 2001-09-09T01:46:40.000Z') },
    });
    // A token for another audience is unknown, expired or not.
    await expect(tokens.connect({ auth: { token: await mint('other') } })).rejects.toMatchObject({
      data: { code: 401, message: expect.stringContaining('unknown credentials') },
    });
  });
});

describe('log lines', () => {
  verifies('SRV-OPS-05', 'record start, joins, leaves, refusals, drain and stop', async () => {
    const server = await serve({ authenticate: apiKey('k-all') });
    const computer = await server.member('computer', 'pc', 'o', as('all'));
    await expect(server.connect(as('stranger'))).rejects.toThrow();
    await expect(server.connect({ ...as('all'), extraHeaders: { origin: 'https://x.example' } })).rejects.toThrow();
    expect(await ask(computer, 'server:join_office', { role: 'computer', name: 'other', office_id: 'o' })).toEqual([
      false,
      expect.any(String),
    ]);
    computer.disconnect();
    await until(() => server.logs.some(({ message }) => message === 'member left'));
    await server.server.drain(0);
    await server.close();
    const member = { office: 'o', role: 'computer', member: 'pc', subject: 'api-key', address: '127.0.0.1' };
    expect(server.logs).toEqual([
      { level: 'info', message: 'server started', url: server.url },
      expect.objectContaining({ level: 'info', message: 'member joined', ...member }),
      expect.objectContaining({
        level: 'info',
        message: 'connection refused',
        address: '127.0.0.1',
        reason: 'Unauthorized',
        code: 401,
      }),
      expect.objectContaining({
        message: 'connection refused',
        origin: 'https://x.example',
        reason: 'Forbidden',
        code: 403,
        detail: 'web pages of this origin may not connect',
      }),
      expect.objectContaining({ message: 'join refused', subject: 'api-key', member: 'other', reason: 'Forbidden' }),
      expect.objectContaining({ message: 'member left', ...member, reason: 'left' }),
      expect.objectContaining({ message: 'server draining' }),
      { level: 'info', message: 'server stopped', url: server.url },
    ]);
    expect(JSON.stringify(server.logs)).not.toMatch(/k-(?:all|stranger)/); // a session id may contain "k-"
  });
});

describe('operator endpoints', () => {
  const operated = async (more: object = {}) => {
    const { write, authenticate } = keyFile();
    write({ subject: 'pc' }, { subject: 'ops', operator: true });
    return serve({ authenticate: await authenticate(), ...more });
  };

  verifies('SRV-OPS-06', 'serve metrics to operators, and to everyone if configured', async () => {
    const server = await operated();
    const status = async (init?: RequestInit) => (await fetch(`${server.url}/metrics`, init)).status;
    expect([await status(), await status(bearer('pc')), await status(bearer('ops'))]).toEqual([401, 403, 200]);
    const open = await operated({ publicMetrics: true });
    expect((await fetch(`${open.url}/metrics`)).status).toBe(200);
    const anonymous = await serve();
    expect((await fetch(`${anonymous.url}/metrics`)).status).toBe(403);
  });

  verifies('SRV-OPS-07', 'list and end sessions, for operators only', async () => {
    const server = await operated();
    const computer = await server.member('computer', 'pc', 'o', as('pc'));
    const idle = await server.connect(as('pc'));
    const path = `${server.url}/operator/sessions`;
    for (const init of [{}, bearer('stranger'), bearer('pc')]) {
      for (const [url, method] of [
        [path, 'GET'],
        [`${path}/${computer.id}`, 'DELETE'],
      ] as const) {
        expect([401, 403]).toContain((await fetch(url, { ...init, method })).status);
      }
    }
    const listed = await fetch(path, bearer('ops'));
    const session = { subject: 'pc', address: '127.0.0.1', since: expect.stringMatching(/^\d{4}-.*Z$/), calls: 0 };
    expect(await listed.json()).toEqual({
      sessions: [
        { ...session, sid: computer.id, office: 'o', role: 'computer', name: 'pc' },
        { ...session, sid: idle.id },
      ],
    });
    const left = next(computer, 'disconnect');
    const sid = computer.id;
    const kicked = await fetch(`${path}/${sid}`, { ...bearer('ops'), method: 'DELETE' });
    expect([kicked.status, await kicked.json()]).toEqual([200, { kicked: sid }]);
    expect(await left).toBe('io server disconnect');
    expect(idle.connected).toBe(true);
    await until(() => server.logs.some(({ message }) => message === 'member left'));
    expect(server.logs).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ message: 'operator request refused', subject: 'pc', code: 403 }),
        expect.objectContaining({ message: 'member left', member: 'pc', reason: 'ended' }),
      ]),
    );
    for (const unknown of [sid, '%', '%2e%2e']) {
      expect((await fetch(`${path}/${unknown}`, { ...bearer('ops'), method: 'DELETE' })).status).toBe(404);
    }
    expect((await fetch(path, { ...bearer('ops'), method: 'POST' })).status).toBe(405);
    expect(server.audit).toContainEqual(expect.objectContaining({ event: 'operator:kick', subject: 'ops', sid }));
  });

  verifies('SRV-OPS-10', 'a refused request is logged without its query', async () => {
    const server = await serve({ authenticate: apiKey('k') });
    expect((await fetch(`${server.url}/operator/sessions?api_key=secret`)).status).toBe(401);
    const refusal = server.logs.find(({ message }) => message === 'operator request refused');
    expect(refusal).toMatchObject({ path: '/operator/sessions' });
    expect(JSON.stringify(server.logs)).not.toContain('secret');
  });

  verifies('SRV-OPS-07', 'refuse too many attempts of one address', async () => {
    const server = await operated({ limits: { handshakesPerSecond: 2 } });
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async () => (await fetch(`${server.url}/operator/sessions`)).status),
    );
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  });
});
