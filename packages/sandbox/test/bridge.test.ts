import { verifies } from '@a2c/requirements';
import { describe, expect, vi } from 'vitest';
import { newSandbox } from './sandboxes.js';

// Worker threads on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

/** Code that runs inside our functions, or replaces what they use, and what it returns. */
const INTERFERENCE: readonly (readonly [code: string, value: unknown])[] = [
  // Calls made while the arguments of another call are read.
  ['await sleep({ valueOf: () => (sleep(1), 1) }); return await echo(1)', 1],
  ['await sleep({ valueOf: () => (echo(2), 1) }); return await echo(1)', 1],
  ['return await echo({ toJSON: () => (echo(2), 1) })', 1],
  ['return await echo({ get a() { echo(2); return 1 } })', { a: 1 }],
  ['const p = new Proxy({ a: 1 }, { ownKeys: (o) => (echo(2), Reflect.ownKeys(o)) }); return await echo(p)', { a: 1 }],
  ['const k = { [Symbol.toPrimitive]: () => (echo(2), "k") }; return await servers[k].t()', ['servers', 'k', 't']],
  // Code that runs while a result is handed over.
  [
    'Object.prototype.then = function (done) { delete Object.prototype.then; echo(2); done(1) }; return await echo({})',
    1,
  ],
  ['Object.prototype[1] = { resolve() {} }; return await echo(1)', 1],
  // Built-in functions and prototypes that our functions could use.
  ['JSON.parse = () => 2; JSON.stringify = () => "[]"; return await echo({ a: [1] })', { a: [1] }],
  ['String.prototype.slice = String.prototype.indexOf = () => { throw 2 }; return await echo("a")', 'a'],
  ['globalThis.Promise = class { constructor() { throw 2 } }; return await echo(1)', 1],
  ['Error.captureStackTrace = () => { throw 2 }; return await echo(1)', 1],
  ['Object.defineProperty(Error, "stackTraceLimit", { get() { throw 2 } }); return await echo(1)', 1],
  // What watches the promises that the code throws away.
  ['const f = async () => { throw 2 }; __discarded = () => 2; f(); return await echo(1)', 1],
  [
    'class P extends Promise { static get [Symbol.species]() { throw 2 } } async () => 0; P.resolve(2); return await echo(1)',
    1,
  ],
  // Names that look like the separators between the parts of a message.
  ['return await servers["a\\nb"](\'["x"]\\n1\')', ['servers', 'a\nb']],
  ['return await servers["a\\0b"].c()', ['servers', 'a\0b', 'c']],
  ['print("a\\0b"); return "a\\0b"', 'a\0b'],
  // Order of what the worker waits for.
  [
    'const o = []; const at = (ms) => sleep(ms).then(() => o.push(ms)); await Promise.all([at(60), at(1), at(30)]); return o',
    [1, 30, 60],
  ],
  ['sleep(Infinity); await sleep(-1); await sleep(NaN); return await echo(1)', 1],
];

describe('the bridge between code and host', () => {
  verifies('SANDBOX-HOST-02', 'code that interferes with a call changes only its own values', async () => {
    const sandbox = newSandbox();
    const functions = { echo: ([value]: readonly unknown[]) => value };
    const namespaces = { servers: (_args: unknown, { path }: { path: readonly string[] }) => path };
    for (const [code, expected] of INTERFERENCE) {
      const outcome = await sandbox.run(code, { functions, namespaces });
      expect(outcome.value, code).toEqual(expected);
      if (code.startsWith('print')) expect(outcome.output).toBe('a\0b\n');
    }
    expect(({} as { then?: unknown }).then).toBeUndefined();
  });

  verifies('SANDBOX-RUN-04', 'a result that arrives after the end never reaches the next run', async () => {
    const sandbox = newSandbox({ concurrentRuns: 1 });
    const late: ((value: unknown) => void)[] = [];
    const functions = { wait: () => new Promise((resolve) => late.push(resolve)) };
    for (let round = 0; round < 10; round++) {
      await sandbox.run('wait(); wait(); return 1', { functions });
      const next = sandbox.run('return await wait()', { functions });
      await vi.waitUntil(() => late.length === 3, { timeout: 60_000 });
      // The calls of the first run had the same ids.
      late[0]?.('late');
      late[1]?.('late');
      late[2]?.('right');
      expect((await next).value).toBe('right');
      late.length = 0;
    }
  });

  verifies('SANDBOX-LIMIT-04', 'abort, timeout and close end a thread that waits', async () => {
    const waits = ['await never()', 'await sleep(Infinity)', 'await Promise.all([never(), sleep(1e9)])'];
    for (const code of waits) {
      const sandbox = newSandbox();
      const abort = new AbortController();
      const functions = { never: () => new Promise(() => {}), begin: () => void setImmediate(() => abort.abort()) };
      const aborted = sandbox.run(`await begin(); ${code}`, { functions, signal: abort.signal });
      await expect(aborted, code).rejects.toMatchObject({ kind: 'cancelled' });
      await expect(sandbox.run(code, { functions, timeoutMs: 50 }), code).rejects.toMatchObject({ kind: 'timeout' });
      const closed = expect(sandbox.run(code, { functions }), code).rejects.toMatchObject({ kind: 'closed' });
      await sandbox.close();
      await closed;
      expect(sandbox.workers).toBe(0);
    }
  });
});
