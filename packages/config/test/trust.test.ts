import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { verifies } from '@a2c/requirements';
import { describe, expect, onTestFinished } from 'vitest';
import { formatRefusal, type ResolveHost, TrustError, TrustGuard, type TrustPolicy, UNTRUSTED } from '../src/index.js';
import { readOne } from './reading.js';

const PUBLIC = '93.184.216.34';
const http = (url: string, more: object = {}) =>
  readOne({ version: 1, servers: { s: { transport: 'streamable_http', url, ...more } } });
const guard = (allowed: Partial<TrustPolicy> = {}, resolve: ResolveHost = async () => [PUBLIC]) =>
  new TrustGuard({ ...UNTRUSTED, ...allowed }, resolve);
/** The violated rules of a server, each with the option that allows it. */
const rules = (server: ReturnType<typeof http>, allowed: Partial<TrustPolicy> = {}) =>
  guard(allowed)
    .check(server)
    .map(({ rule, allow_with }) => [rule, allow_with]);
const BY_TRUST = '--trust, or a2c config trust FILE';

async function refusal(promise: Promise<unknown>): Promise<string | undefined> {
  const error = await promise.then(() => undefined).catch((caught: unknown) => caught);
  if (error !== undefined && !(error instanceof TrustError)) throw error;
  return error?.refusals[0]?.rule;
}

describe('an untrusted source', () => {
  verifies(['KIT-STDIO-09', 'KIT-UNIX-03', 'CONF-TRUST-03'], 'cannot start programs or connect to sockets', () => {
    expect(rules(readOne({ s: { command: 'x' } }))).toEqual([['spawn', BY_TRUST]]);
    expect(rules(readOne({ s: { unix_path: 'x' } }))).toEqual([['unix-socket', BY_TRUST]]);
  });

  verifies('COST-HOST-01', 'cannot name a host of very many characters', () => {
    const label = 'x'.repeat(62);
    const longest = `${label}.${label}.${label}.${label}.x`;
    expect(longest).toHaveLength(253);
    expect(rules(http(`https://${longest}./`))).toEqual([]);
    expect(rules(http(`https://${longest}y/`))).toEqual([['url', null]]);
    const dots = '.'.repeat(100_000);
    const before = process.cpuUsage();
    expect(rules(http(`https://a${dots}b/`))).toEqual([['url', null]]);
    expect(rules(http(`https://a.example${dots}/`))).toEqual([]);
    expect(rules(http('https://a.example/'), { allowed_hosts: [`b${dots}c`, `example${dots}`] })).toEqual([]);
    const { user, system } = process.cpuUsage(before);
    // Typically less than 0.1 s; more than 10 s if each dot starts a search.
    expect((user + system) / 1_000).toBeLessThan(3_000);
  });

  verifies('KIT-HTTP-08', 'cannot send a sensitive header, in any spelling', () => {
    for (const header of ['Authorization', 'COOKIE', 'proxy-authorization']) {
      expect(rules(http('https://e.example', { http_headers: { [header]: 'x' } }))).toEqual([
        ['sensitive-header', BY_TRUST],
      ]);
    }
    expect(rules(http('https://e.example', { http_headers: { 'X-Auth': 'x' } }))).toEqual([]);
  });

  verifies(['KIT-HTTP-09', 'CONF-HOLD-04'], 'cannot read secrets or use placeholders', () => {
    const server = http('https://e.example/${P}', {
      bearer_token_env_var: 'T',
      env_http_headers: { A: 'B' },
      headers: { X: '${Y}' },
    });
    expect(rules(server).map(([rule]) => rule)).toEqual(['env-secret', 'env-secret', 'placeholder', 'placeholder']);
    expect(rules(http('https://${HOST}/'))).toEqual([['placeholder', BY_TRUST]]);
  });

  const urls: [string, string | undefined, string | null | undefined][] = [
    ['https://example.com/mcp', undefined, undefined],
    ['https://8.8.8.8/mcp', undefined, undefined],
    ['https://[2606:4700:4700::1111]/', undefined, undefined],
    ['http://example.com/mcp', 'https-only', '--trust'],
    ['https://user:pass@example.com/', 'url-credentials', '--trust'],
    ['https://user@example.com/', 'url-credentials', '--trust'],
    ['https://localhost/', 'local-host', '--allow-localhost'],
    ['https://LOCALHOST./', 'local-host', '--allow-localhost'],
    ['https://localhost.localdomain/', 'local-host', '--allow-localhost'],
    ['https://a.localhost/', 'local-host', '--allow-localhost'],
    ['https://printer.local/', 'local-host', '--allow-localhost'],
    ['https://a.localdomain/', 'local-host', '--allow-localhost'],
    ['https://intranet/', 'local-host', '--allow-localhost'],
    ['https://127.0.0.1/', 'private-address', '--allow-private-ip'],
    ['https://2130706433/', 'private-address', '--allow-private-ip'],
    ['https://0x7f.1/', 'private-address', '--allow-private-ip'],
    ['https://0177.0.0.1/', 'private-address', '--allow-private-ip'],
    ['https://[::1]/', 'private-address', '--allow-private-ip'],
    ['https://[::ffff:10.0.0.1]/', 'private-address', '--allow-private-ip'],
    ['https://192.168.1.1./', 'private-address', '--allow-private-ip'],
    ['https://169.254.169.254/', 'forbidden-address', '--trust'],
    ['https://[ff02::1]/', 'forbidden-address', '--trust'],
    ['https://0.0.0.0/', 'forbidden-address', '--trust'],
  ];
  for (const [url, rule, flag] of urls) {
    verifies(['KIT-HTTP-07', 'CONF-TRUST-03'], `${url} ${rule ? `is refused: ${rule}` : 'is reached'}`, () => {
      expect(rules(http(url))).toEqual(rule ? [[rule, flag]] : []);
    });
  }

  verifies('KIT-HTTP-07', 'both URLs of a server are checked, and that of the SSE transport', () => {
    const split = readOne({ s: { sse_url: 'https://localhost/', http_url: 'http://e.example/' } });
    expect(rules(split).map(([rule]) => rule)).toEqual(['local-host', 'https-only']);
    expect(rules(readOne({ s: { type: 'sse', url: 'https://10.0.0.1/sse' } }))).toHaveLength(1);
  });

  verifies('KIT-HTTP-10', 'allowed hosts restrict, but grant nothing', () => {
    const allowed_hosts = ['Example.COM.', '*.wild.example', '', '10.0.0.1', 'localhost'];
    const rule = (url: string) => rules(http(url), { allowed_hosts })[0]?.[0];
    expect(rule('https://example.com')).toBeUndefined();
    expect(rule('https://api.example.com.:8443')).toBeUndefined();
    expect(rule('https://notexample.com')).toBe('allowed-hosts');
    expect(rule('https://a.wild.example')).toBe('allowed-hosts');
    expect(rule('https://8.8.8.8')).toBe('allowed-hosts');
    expect(rule('https://10.0.0.1')).toBe('private-address');
    expect(rule('https://localhost')).toBe('local-host');
    expect(rules(http('https://other.example'), { allowed_hosts })).toEqual([
      ['allowed-hosts', '--allow-host other.example'],
    ]);
  });

  verifies(['KIT-HTTP-10', 'CONF-ADDR-03'], 'each option allows what it names', async () => {
    const local = guard({ allow_localhost: true }, async () => ['127.0.0.1']);
    expect(local.check(http('https://localhost'))).toEqual([]);
    expect(await refusal(local.approve(http('https://localhost')))).toBe('private-address');
    const open = guard({ allow_localhost: true, allow_private_ip: true }, async () => ['127.0.0.1']);
    expect(await open.approve(http('https://localhost'))).toEqual([
      { url: 'https://localhost', addresses: ['127.0.0.1'] },
    ]);
    expect(rules(http('https://10.0.0.1'), { allow_private_ip: true })).toEqual([]);
    expect(rules(http('https://169.254.169.254'), { allow_private_ip: true })[0]?.[0]).toBe('forbidden-address');
    const cloud = guard({ allow_private_ip: true }, async () => ['169.254.169.254']);
    expect(await refusal(cloud.approve(http('https://metadata.example')))).toBe('forbidden-address');
  });

  verifies('CONF-TRUST-03', 'a refusal names rule and remedy, without values', () => {
    const [refused] = guard().check(http('https://secret-user:secret-pass@e.example/'));
    if (!refused) throw new Error('was allowed');
    expect(formatRefusal(refused)).toBe('s: the URL contains credentials (rule url-credentials; allowed by --trust)');
  });
});

describe('a trusted source', () => {
  verifies(['CONF-TRUST-01', 'KIT-HTTP-10'], 'may do everything', async () => {
    const trusted = guard({ trusted: true }, async () => {
      throw new Error('must not look up');
    });
    const server = http('http://user:pw@localhost/${P}', { bearer_token_env_var: 'T' });
    expect(trusted.check(server)).toEqual([]);
    expect(trusted.check(readOne({ s: { command: 'x' } }))).toEqual([]);
    expect((await trusted.approve(server))[0]?.addresses).toBeNull();
  });
});

describe('DNS', () => {
  const server = http('https://mcp.example.com/api');

  verifies('CONF-DNS-01', 'one forbidden address among allowed ones is a refusal', async () => {
    for (const bad of ['10.0.0.1', '::1', '64:ff9b::7f00:1', 'fe80::1%lo']) {
      expect(await refusal(guard({}, async () => [PUBLIC, bad]).approve(server))).toBe('private-address');
    }
  });

  verifies('CONF-DNS-01', 'an error, a timeout and an empty answer are refusals', async () => {
    const failing = guard({}, async () => {
      throw new Error('SERVFAIL');
    });
    const silent = guard({ dns_timeout_ms: 20 }, () => new Promise(() => undefined));
    const empty = guard({}, async () => []);
    for (const closed of [failing, silent, empty]) expect(await refusal(closed.approve(server))).toBe('dns-lookup');
  });

  verifies('CONF-DNS-01', 'without the check nothing is resolved or pinned', async () => {
    const unchecked = guard({ dns_check: false }, () => Promise.reject(new Error('must not look up')));
    expect(await unchecked.approve(server)).toEqual([{ url: 'https://mcp.example.com/api', addresses: null }]);
    expect(await unchecked.approve(http('https://8.8.8.8/'))).toEqual([
      { url: 'https://8.8.8.8/', addresses: ['8.8.8.8'] },
    ]);
  });

  verifies('CONF-DNS-02', 'a changed DNS answer cannot change the target', async () => {
    const stub = await rebindingNameserver([PUBLIC, '127.0.0.1']);
    const rebound = guard({}, (host) => stub.resolver.resolve4(host));
    const [target] = await rebound.approve(server);
    // What a second lookup would return, compared with the approved addresses.
    expect(await stub.resolver.resolve4('mcp.example.com')).toEqual(['127.0.0.1']);
    expect(target?.addresses).toEqual([PUBLIC]);
    expect(await refusal(rebound.approve(server))).toBe('private-address');
  });

  verifies('CONF-DNS-03', 'the target of a redirect is checked like the first URL', async () => {
    const names: Record<string, string> = { 'a.example.com': PUBLIC, 'b.example.com': '10.0.0.1' };
    const redirected = guard({}, async (host) => [names[host] ?? PUBLIC]);
    expect(await redirected.approveUrl('https://a.example.com/', 's')).toMatchObject({ addresses: [PUBLIC] });
    expect(await refusal(redirected.approveUrl('https://b.example.com/', 's'))).toBe('private-address');
    expect(await refusal(redirected.approveUrl('http://a.example.com/', 's'))).toBe('https-only');
    expect(await refusal(redirected.approveUrl('https://169.254.169.254/latest', 's'))).toBe('forbidden-address');
    expect(await refusal(redirected.approveUrl('file:///etc/passwd', 's'))).toBe('https-only');
    expect(await refusal(redirected.approveUrl('not a url', 's'))).toBe('url');
  });
});

/** A real nameserver on this machine that returns the next answer for each query of an A record. */
async function rebindingNameserver(answers: readonly string[]): Promise<{ resolver: Resolver }> {
  const socket = createSocket('udp4');
  onTestFinished(() => void socket.close());
  let asked = 0;
  socket.on('message', (query, { port, address }) => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? '';
    asked += 1;
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const head = Buffer.concat([query.subarray(0, 2), Buffer.from([0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0])]);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...answer.split('.').map(Number)]);
    socket.send(Buffer.concat([head, question, record]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${(socket.address() as AddressInfo).port}`]);
  return { resolver };
}

describe('a trusted source', () => {
  const ADDRESSES: Readonly<Record<string, string>> = {
    'mcp.example': PUBLIC,
    'other.example': '93.184.216.35',
    'inside.example': '10.0.0.7',
    'local.example': '127.0.0.1',
    'link.example': 'fe80::1',
    'metadata.example': '169.254.169.254',
  };
  const trusted = guard({ trusted: true }, async (host) => [ADDRESSES[host] ?? '']);
  const followed = (to: string, from: string) =>
    refusal(trusted.approveUrl(`http://${to}/`, 's', `http://${from}/mcp`));

  verifies(
    'SEC-REDIRECT-01',
    'covers what it names, and from there only public addresses and its own kind',
    async () => {
      for (const host of Object.keys(ADDRESSES)) expect(await followed(host, host)).toBeUndefined();
      for (const host of Object.keys(ADDRESSES)) {
        const expected = host === 'mcp.example' || host === 'other.example' ? undefined : 'followed-address';
        expect(await followed(host, 'mcp.example'), host).toBe(expected);
      }
      expect(await followed('192.168.1.1', 'inside.example')).toBeUndefined();
      expect(await followed('127.0.0.1', 'inside.example')).toBe('followed-address');
      expect(await followed('[::1]', '127.0.0.1')).toBeUndefined();
      expect(await followed('[::ffff:127.0.0.1]', 'local.example')).toBeUndefined();
      expect(await followed('169.254.1.1', 'local.example')).toBe('followed-address');
      expect(await followed('169.254.169.254', 'metadata.example')).toBe('followed-address');
    },
  );

  verifies('SEC-REDIRECT-01', 'connects only to the addresses that were checked', async () => {
    const target = await trusted.approveUrl('http://other.example/', 's', 'http://mcp.example/');
    expect(target.addresses).toEqual(['93.184.216.35']);
    const socket = 'http+unix://%2Frun%2Fmcp.sock/';
    expect(await refusal(trusted.approveUrl('http://local.example/', 's', socket))).toBe('followed-address');
  });
});
