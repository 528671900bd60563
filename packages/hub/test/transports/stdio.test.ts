import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TrustError, TrustGuard, UNTRUSTED } from '@a2c/config';
import { verifies } from '@a2c/requirements';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { call, connect, odd, open, script, stdio, temporaryFolder, until } from './harness.js';

const MB = 1024 * 1024;
const LEGACY = { versionNegotiation: { mode: 'legacy' } } as const;

describe('what a child is given', () => {
  const environment = async (more: object) => {
    const { client } = await connect(stdio([process.execPath, script('sdk.mjs')], more));
    return JSON.parse(await call(client, 'environment')) as Record<string, string>;
  };

  verifies(['KIT-MAP-03', 'KIT-STDIO-03', 'SEC-ENV-01'], '`env` on top of our own variables', async () => {
    vi.stubEnv('TEST_VARIABLE', 'inherited');
    vi.stubEnv('A2C_API_KEY', 'secret');
    const seen = await environment({ env: { ADDED: 'yes', HOME: '/elsewhere' }, inherit_env: true });
    expect(seen).toMatchObject({ ADDED: 'yes', HOME: '/elsewhere', TEST_VARIABLE: 'inherited' });
    expect(seen).not.toHaveProperty('A2C_API_KEY');
  });

  verifies('KIT-STDIO-02', 'only the baseline and `env` without `inherit_env`', async () => {
    vi.stubEnv('TEST_VARIABLE', 'inherited');
    const seen = await environment({ inherit_env: false, env: { ADDED: 'yes' } });
    expect(seen).toMatchObject({ ADDED: 'yes', PATH: process.env.PATH });
    expect(seen).not.toHaveProperty('TEST_VARIABLE');
  });

  verifies('HUB-STDIO-08', '`cwd` and arguments as they are, without a shell', async () => {
    const folder = await temporaryFolder();
    const print = 'process.stderr.write(JSON.stringify([process.cwd(), process.argv.slice(1)]))';
    const transport = await open(stdio([process.execPath, '-e', print, '--', '$HOME; echo', '*'], { cwd: folder }));
    const closed = new Promise<void>((resolve) => {
      transport.onclose = resolve;
    });
    await transport.start();
    await closed;
    expect(JSON.parse(transport.diagnostics().stderr)).toEqual([folder, ['$HOME; echo', '*']]);
  });
});

describe('what cannot be started', () => {
  const secret = { env: { TOKEN: 'secret-value' } };

  verifies(['HUB-STDIO-08', 'SMCP-CONF-03'], 'is named, with the remedy and without what may be secret', async () => {
    const folder = await temporaryFolder();
    const plain = join(folder, 'plain');
    await writeFile(plain, 'no program');
    for (const program of ['no-such-program', './missing', plain]) {
      const error = await open(stdio([program, '--token=secret-value'], secret)).catch((caught: Error) => caught);
      expect(error).toBeInstanceOf(Error);
      expect((error as Error).message).toContain(`"${program}"`);
      expect((error as Error).message).toMatch(/install it|executable/);
      expect((error as Error).message).not.toContain('secret-value');
    }
  });

  verifies(['HUB-STDIO-08', 'SMCP-CONF-03'], 'is named when the operating system reports the failure', async () => {
    const folder = await temporaryFolder();
    const orphan = join(folder, 'orphan');
    await writeFile(orphan, '#!/no/such/interpreter\n');
    await chmod(orphan, 0o755);
    const transport = await open(stdio([orphan, 'secret-value'], secret));
    const error = await transport.start().catch((caught: Error) => caught);
    expect((error as Error).message).toBe(
      `the program "${orphan}" cannot be started (ENOENT): it, or the interpreter its first line names, is not there`,
    );
  });

  verifies('HUB-STDIO-08', 'names a missing folder', async () => {
    await expect(open(stdio(['node'], { cwd: '/no/such/folder' }))).rejects.toThrow(
      'its "cwd" /no/such/folder is not a folder',
    );
  });

  verifies('KIT-STDIO-09', 'comes from an untrusted configuration', async () => {
    const guard = new TrustGuard(UNTRUSTED);
    const refused = open(odd(), { guard });
    await expect(refused).rejects.toBeInstanceOf(TrustError);
    await expect(refused).rejects.toThrow('rule spawn');
  });
});

describe('negotiation', () => {
  verifies('HUB-STDIO-02', 'uses one process, whether or not it answers the probe', async () => {
    for (const [behaviour, timeoutMs] of [
      ['plain', 60_000],
      ['mute-discover', 500],
    ] as const) {
      const options = { versionNegotiation: { mode: 'auto', probe: { timeoutMs } } } as const;
      const { client, transport } = await connect(odd(behaviour), {}, options);
      expect(client.getNegotiatedProtocolVersion()).toBe('2025-11-25');
      expect(Number(await call(client, 'pid'))).toBe(transport.diagnostics().pid);
    }
  });

  verifies('HUB-STDIO-02', 'reports a process that exits', async () => {
    const transport = connect(odd('no-discover'));
    await expect(transport).rejects.toMatchObject({ code: 'ERA_NEGOTIATION_FAILED' });
  });
});

describe('the output of a child', () => {
  verifies('HUB-STDIO-03', 'may be mixed with junk, blank lines and CRLF', async () => {
    const { client, transport } = await connect(odd('junk'));
    expect(await call(client, 'echo', { text: 'found' })).toBe('found');
    // "Starting…", two values of the array, and an object without meaning.
    expect(transport.diagnostics().junkLines).toBe(4);
  });

  for (const behaviour of ['extra-keys', 'null-error', 'batch']) {
    verifies('HUB-STDIO-04', `is understood with ${behaviour}`, async () => {
      const { client } = await connect(odd(behaviour), {}, LEGACY);
      expect(await call(client, 'echo', { text: 'x' }, { timeout: 60_000 })).toBe('x');
    });
  }

  verifies('HUB-STDIO-04', 'fails its request at once when it is not an answer', async () => {
    const { client } = await connect(odd('bad-answer'), {}, LEGACY);
    await expect(call(client, 'echo', { text: 'x' })).rejects.toMatchObject({ code: -32603 });
  });

  verifies('HUB-STDIO-05', 'is answered with an error when it is a request over the limit', async () => {
    const { client, transport } = await connect(odd('oversized-request'), { limits: { messageBytes: MB } }, LEGACY);
    const [first, second] = await Promise.all([
      call(client, 'echo', { text: 'a' }, { timeout: 60_000 }),
      call(client, 'echo', { text: 'b' }, { timeout: 60_000 }),
    ]);
    expect([first, second]).toEqual(['a', 'b']);
    expect(transport.diagnostics().oversizedMessages).toBe(2);
  });

  for (const encoding of ['utf-16le', 'utf-16be', 'latin1']) {
    verifies('HUB-STDIO-06', `is decoded and encoded in ${encoding}`, async () => {
      const config = { ...odd(`encoding=${encoding}`), encoding };
      const { client } = await connect(config, {}, LEGACY);
      const text = encoding === 'latin1' ? 'grüße' : 'grüße 世界 ਊ Ċ 🙂';
      expect(await call(client, 'echo', { text })).toBe(text);
    });
  }

  verifies('HUB-STDIO-06', 'is handled as configured when it is invalid', async () => {
    const say = async (encoding_error_handler: 'strict' | 'ignore' | 'replace') => {
      const { client, transport } = await connect({ ...odd('broken-text'), encoding_error_handler }, {}, LEGACY);
      const text = await call(client, 'echo', { text: 'aXb' }, { timeout: 60_000 }).catch(
        (error: Error) => error.message,
      );
      return { text, junk: transport.diagnostics().junkLines };
    };
    expect(await say('replace')).toEqual({ text: 'a\u{fffd}b', junk: 0 });
    expect(await say('ignore')).toEqual({ text: 'ab', junk: 0 });
    const strict = await say('strict');
    expect(strict.text).toContain('not text in the configured encoding');
    expect(strict.junk).toBe(1);
  });

  verifies('HUB-STDIO-06', 'needs a known encoding', async () => {
    await expect(open({ ...odd(), encoding: 'klingon' })).rejects.toThrow('the encoding "klingon" is not known here');
  });

  verifies('HUB-STDIO-07', 'on stderr never blocks it, and is kept', async () => {
    const { client, transport } = await connect(odd('noisy'), { limits: { stderrBytes: 1_000 } });
    expect(await call(client, 'echo', { text: 'x' })).toBe('x');
    await until(() => transport.diagnostics().stderr.length > 0, 'stderr');
    const { stderr } = transport.diagnostics();
    expect(stderr.length).toBeLessThanOrEqual(1_000);
    expect(stderr).toMatch(/^(noise ){16}\n/);
  });

  verifies('HUB-STDIO-09', 'is read to the end, also without a line feed', async () => {
    const { client, transport } = await connect(odd('no-newline'), {}, LEGACY);
    expect(await call(client, 'echo', { text: 'bye' })).toBe('bye');
    await until(() => transport.diagnostics().ended !== null, 'the end');
    expect(transport.diagnostics().ended).toBe('exited with code 0');
  });
});

describe('the end of a child', () => {
  verifies('HUB-STDIO-09', 'at once fails the connection with the reason', async () => {
    const transport = await open(odd('exit=7'));
    let closes = 0;
    transport.onclose = () => {
      closes += 1;
    };
    await transport.start();
    await until(() => closes > 0, 'the end');
    await transport.close();
    expect(closes).toBe(1);
    expect(transport.diagnostics()).toMatchObject({ ended: 'exited with code 7', stderr: 'cannot find my key\n' });
  });

  verifies('HUB-STDIO-09', 'is also reached by closing during the start', async () => {
    const transport = await open(odd('ignore-eof'), { limits: { stopGraceMs: 100 } });
    const starting = transport.start();
    await transport.close();
    await starting;
    expect(transport.diagnostics().ended).toBe('was ended by SIGTERM');
    await expect(transport.start()).rejects.toThrow('create a new one');
  });

  verifies('HUB-STDIO-09', 'in a call fails the call', async () => {
    const { client, transport } = await connect(odd('die-in-call'), {}, LEGACY);
    await expect(call(client, 'echo', { text: 'x' })).rejects.toThrow('Connection closed');
    expect(transport.diagnostics().ended).toBe('exited with code 3');
    await expect(call(client, 'echo', { text: 'x' })).rejects.toThrow();
  });

  verifies('HUB-STDIO-14', 'that does not read fails pending writes only', async () => {
    const transport = await open(stdio([process.execPath, '-e', 'setTimeout(() => process.exit(5), 300)']));
    await transport.start();
    const message: JSONRPCMessage = { jsonrpc: '2.0', id: 1, method: 'x', params: { x: 'x'.repeat(MB) } };
    await expect(transport.send(message)).rejects.toThrow('could not be sent');
    await until(() => transport.diagnostics().ended !== null, 'the end');
    await expect(transport.send(message)).rejects.toThrow('exited with code 5');
  });

  verifies('HUB-STDIO-14', 'does not affect a message that is written', async () => {
    const { client } = await connect(odd('slow-reader'), {}, LEGACY);
    const text = 'x'.repeat(4 * MB);
    expect(await call(client, 'echo', { text })).toBe(text);
  });
});

verifies('HUB-STDIO-15', 'what a server does not read is limited', async () => {
  const reader =
    "process.on('SIGUSR2', () => process.stdin.resume()); setInterval(() => {}, 1_000); console.error('up')";
  const transport = await open(stdio([process.execPath, '-e', reader]), { limits: { messageBytes: MB } });
  await transport.start();
  await until(() => transport.diagnostics().stderr.includes('up'), 'the start');
  const answer = (text: string): JSONRPCMessage => ({ jsonrpc: '2.0', id: 1, result: { text } });
  const large = transport.send(answer('x'.repeat(5 * MB)));
  await expect(transport.send(answer('small'))).rejects.toThrow('the server does not read what is sent to it');
  process.kill(transport.diagnostics().pid as number, 'SIGUSR2');
  await large;
  await transport.send(answer('small'));

  // Small messages count with their own memory: 500 of them are more than four megabytes.
  const idle = await open(stdio([process.execPath, '-e', 'setInterval(() => {}, 1_000)']), {
    limits: { messageBytes: MB },
  });
  await idle.start();
  const fill = idle.send(answer('x'.repeat(2 * MB))).catch(() => {});
  const sent = await Promise.allSettled(
    Array.from({ length: 500 }, () => Promise.race([idle.send(answer('pong')), Promise.resolve('waiting')])),
  );
  expect(sent.filter(({ status }) => status === 'fulfilled').length).toBeLessThan(300);
  await idle.close();
  await fill;
});

describe('while a server does not read', () => {
  /** Reads nothing before SIGUSR2. Then it writes the ids of the messages to stderr. */
  const READER = `
    process.on('SIGUSR2', () => {
      const lines = require('node:readline').createInterface({ input: process.stdin });
      lines.on('line', (line) => console.error('read', JSON.parse(line).id));
    });
    setInterval(() => {}, 1_000);
    console.error('up');`;
  const request = (id: number, bytes: number): JSONRPCMessage => ({
    ...{ jsonrpc: '2.0', id, method: 'tools/call' },
    params: { text: 'x'.repeat(bytes) },
  });
  const cancel = (requestId: number): JSONRPCMessage => ({
    ...{ jsonrpc: '2.0', method: 'notifications/cancelled' },
    params: { requestId },
  });
  const idleServer = async () => {
    const transport = await open(stdio([process.execPath, '-e', READER]), { limits: { messageBytes: MB } });
    await transport.start();
    await until(() => transport.diagnostics().stderr.includes('up'), 'the start');
    return transport;
  };

  verifies('HUB-STDIO-17', 'requests wait, and are sent in their order unless they are cancelled', async () => {
    const transport = await idleServer();
    const ids = Array.from({ length: 20 }, (_, index) => index);
    const settled: number[] = [];
    const sent = ids.map((id) => transport.send(request(id, MB)).finally(() => settled.push(id)));
    await transport.send(cancel(15));
    expect(settled).toEqual([15]);
    // Answers have their limit nevertheless.
    const answer = transport.send({ jsonrpc: '2.0', id: 1, result: {} });
    await expect(answer).rejects.toThrow('the server does not read what is sent to it');
    process.kill(transport.diagnostics().pid as number, 'SIGUSR2');
    await Promise.all(sent);
    const read = () => [...transport.diagnostics().stderr.matchAll(/read (\d+)/g)].map(([, id]) => Number(id));
    await until(() => read().length >= 19, 'the messages');
    expect(read()).toEqual(ids.filter((id) => id !== 15));
  });

  verifies('HUB-STDIO-17', 'requests fail after 30 seconds without progress, later ones at once', async () => {
    const transport = await idleServer();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const large = transport.send(request(1, 5 * MB));
    const outcomes: string[] = [];
    const waiting = [2, 3].map((id) =>
      transport.send(request(id, 1)).catch(({ message }: Error) => void outcomes.push(message)),
    );
    // A request that ends early does not hide that nothing is read.
    await transport.send(cancel(3));
    vi.advanceTimersByTime(29_999);
    await new Promise(setImmediate);
    expect(outcomes).toEqual([]);
    vi.advanceTimersByTime(1);
    await Promise.all(waiting);
    expect(outcomes).toEqual(['the server does not read what is sent to it']);
    await expect(transport.send(request(4, 1))).rejects.toThrow('the server does not read what is sent to it');
    process.kill(transport.diagnostics().pid as number, 'SIGUSR2');
    await large;
    await transport.send(request(5, 1));
  });

  verifies('HUB-STDIO-17', 'requests that wait fail when the connection ends', async () => {
    const transport = await idleServer();
    const sent = [transport.send(request(1, 5 * MB)), transport.send(request(2, 1))];
    process.kill(transport.diagnostics().pid as number, 'SIGKILL');
    const outcomes = await Promise.allSettled(sent);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(sent[1]).rejects.toThrow(/SIGKILL/);
  });
});
