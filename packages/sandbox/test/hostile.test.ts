import { setTimeout as delay } from 'node:timers/promises';
import { verifies } from '@a2c/requirements';
import type { SandboxErrorKind } from '@a2c/sandbox';
import { describe, expect, vi } from 'vitest';
import { failureOf, newSandbox } from './sandboxes.js';

// Every case uses up a limit on purpose, on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000 });

/** Long enough to reach the loop of each case. The runs of a test wait for each other. */
const CPU = { cpuMs: 30, wallMs: 300_000 };

/** Runs all pieces of code, some at the same time, and returns those that did not end as expected. */
async function unexpected(
  codes: Readonly<Record<string, string>>,
  kinds: readonly SandboxErrorKind[],
  limits: Parameters<typeof newSandbox>[0] = CPU,
): Promise<string[]> {
  const sandbox = newSandbox(limits);
  const ended = Object.entries(codes).map(async ([name, code]) => {
    const { kind, message } = await failureOf(sandbox, code);
    return kinds.includes(kind) ? [] : [`${name}: ${kind} ${message}`];
  });
  const found = (await Promise.all(ended)).flat();
  // The host lives and the sandbox still works. On a busy machine even this may use up the time of the code.
  const value = () => sandbox.run('return 1').then(({ value }) => value, String);
  await expect.poll(value).toBe(1);
  expect(sandbox.workers).toBeLessThanOrEqual(sandbox.limits.concurrentRuns);
  return found;
}

const ENDLESS = {
  plain: 'for (;;);',
  'do nothing': 'while (true) {}',
  'in a function': 'function f() { for (;;); } f()',
  'in an async function': 'await (async () => { for (;;); })()',
  'after an await': 'await null; for (;;);',
  'caught and looped': 'for (;;) { try { for (;;); } catch {} finally { continue } }',
  'in finally': 'try { throw 1 } finally { for (;;); }',
  'caught and returned': 'try { await (async () => { for (;;); })() } catch (e) { return "escaped" }',
  'in a regular expression': '/^(a+)+$/.test("a".repeat(50) + "b")',
  'in a regular expression with backreferences': '/(x+x+)+y/.test("x".repeat(60))',
  'in a getter': 'const o = { get a() { for (;;); } }; o.a',
  'in a getter of the result': 'return { get a() { for (;;); } }',
  'in toJSON of the result': 'return { toJSON() { for (;;); } }',
  'in a toJSON that never ends': 'const next = () => ({ toJSON: next, a: 1 }); for (;;) JSON.stringify(next())',
  'in valueOf': '+{ valueOf() { for (;;); } }',
  'in toString': 'String({ toString() { for (;;); } })',
  'in a proxy trap': 'new Proxy({}, { get() { for (;;); } }).x',
  'in an ownKeys trap of the result': 'return new Proxy({}, { ownKeys() { for (;;); } })',
  'in a promise chain': 'const f = () => Promise.resolve().then(f); await f()',
  'in microtasks': 'const f = () => queueMicrotask(f); f(); await new Promise(() => {})',
  'in async recursion': 'const f = async () => { await null; return f() }; await f()',
  'in a thenable': 'await { then(resolve) { resolve(this) } }',
  'in a generator': 'function* g() { for (;;) yield 1 } for (const x of g());',
  'in an async generator': 'async function* g() { for (;;) yield 1 } for await (const x of g());',
  'in a sort comparator': '[3, 2, 1].sort(() => { for (;;); })',
  'in a replacer': '"a".replace(/a/, () => { for (;;); })',
  'in a reviver': 'JSON.parse("[1]", () => { for (;;); })',
  'in Symbol.iterator': 'const [a] = { [Symbol.iterator]() { for (;;); } }',
  'in Symbol.toPrimitive of an argument': 'await sleep({ [Symbol.toPrimitive]() { for (;;); } })',
  'in eval': 'eval("for (;;);")',
  'in new Function': 'new Function("for (;;);")()',
  'in a static block': 'class A { static { for (;;); } }',
  'in a thrown getter': 'throw Object.defineProperty(new Error(), "message", { get() { for (;;); } })',
  'in a thrown proxy': 'throw new Proxy({}, { get() { for (;;); }, getPrototypeOf() { for (;;); } })',
  'in print': 'print({ toJSON() { for (;;); } })',
  'in a built-in function that cannot be interrupted': 'return new Array(2 ** 32 - 1).join("")',
  'in a search of a huge array': 'const a = [1]; a.length = 2 ** 32 - 1; a.lastIndexOf(5); for (;;);',
  'in arithmetic': 'let a = 3n; for (;;) a = (a * a) % (2n ** 4096n)',
  'after replacing everything': `for (const name of Object.getOwnPropertyNames(globalThis)) { try { globalThis[name] = undefined } catch {} } for (;;);`,
};

const MEMORY_BOMBS = {
  arrays: 'const a = []; for (;;) a.push(new Array(1000).fill(0))',
  'one huge array': 'return new Array(1e9).fill(0)',
  objects: 'let o = null; for (;;) o = { o, a: 1, b: 2 }',
  'array buffers': 'const a = []; for (;;) a.push(new ArrayBuffer(1 << 20))',
  'one array buffer': 'new ArrayBuffer(2 ** 31)',
  maps: 'const m = new Map(); for (let i = 0; ; i++) m.set(i, {})',
  sets: 'const s = new Set(); for (let i = 0; ; i++) s.add("x" + i)',
  strings: 'const a = []; const x = "x".repeat(1e6); for (;;) a.push(x + a.length)',
  'strings that double':
    'let s = "x".repeat(1024); const all = []; for (;;) { s = s.length < 2 ** 24 ? s + s : s; all.push(s + all.length) }',
  closures: 'const a = []; for (;;) { const big = new Array(100); a.push(() => big) }',
  promises: 'const a = []; for (;;) a.push(new Promise(() => {}))',
  'code in code': 'const a = []; for (let i = 0; ; i++) a.push(new Function("return " + "x+".repeat(1000) + i))',
  'regular expressions': 'const a = []; for (let i = 0; ; i++) a.push(new RegExp("(a|b)".repeat(200) + i))',
  'caught and repeated': 'const a = []; for (;;) { try { a.push(new ArrayBuffer(1 << 22)) } catch { a.push(1) } }',
  typed: 'const a = []; for (;;) a.push(new Float64Array(1e5))',
};

const DEEP = {
  recursion: '(function f() { return 1 + f() })()',
  'mutual recursion': 'const a = () => b(), b = () => a(); a()',
  getters: 'const o = { get a() { return this.a } }; o.a',
  proxies: 'const p = new Proxy({}, { get: (t, k, r) => r[k] }); p.x',
  'a chain of proxies': 'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x',
  toString: 'const o = { toString: () => String(o) }; String(o)',
  'JSON.parse': 'JSON.parse("[".repeat(1e5) + "]".repeat(1e5))',
  'JSON.stringify': 'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; JSON.stringify(a)',
  'source text': 'eval("(".repeat(1e5))',
  'bound functions': 'let f = () => 1; for (let i = 0; i < 1e5; i++) f = f.bind(); f()',
  flat: 'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; a.flat(Infinity)',
  'a regular expression': 'new RegExp("(?:".repeat(1e5) + ")".repeat(1e5))',
  'an async function': 'const f = async () => { await f() }; await f()',
};

describe('limits', () => {
  verifies('SANDBOX-LIMIT-01', 'code that never ends is stopped wherever it loops', async () => {
    expect(await unexpected(ENDLESS, ['cpu-limit', 'memory-limit'])).toEqual([]);
  });

  verifies('SANDBOX-LIMIT-02', 'code that takes memory without end is stopped', async () => {
    const limits = { ...CPU, memoryBytes: 2 * 1024 * 1024, cpuMs: 250 };
    expect(await unexpected(MEMORY_BOMBS, ['memory-limit', 'cpu-limit', 'runtime'], limits)).toEqual([]);
  });

  verifies('SANDBOX-LIMIT-02', 'memory that is too short even for an error is named as the reason', async () => {
    // More than the 16 MiB that the engine has at first.
    const sandbox = newSandbox({ memoryBytes: 17 * 1024 * 1024, cpuMs: 60_000 });
    expect((await failureOf(sandbox, ENDLESS['in a promise chain'])).kind).toBe('memory-limit');
    const { kind, message } = await failureOf(sandbox, 'throw null');
    expect({ kind, message }).toEqual({ kind: 'runtime', message: 'the code threw a value that is no Error: null' });
  });

  verifies('SANDBOX-LIMIT-03', 'recursion without end is stopped', async () => {
    const kinds = ['stack-limit', 'cpu-limit', 'memory-limit', 'runtime'] as const;
    expect(await unexpected(DEEP, kinds, { ...CPU, cpuMs: 300 })).toEqual([]);
    const sandbox = newSandbox();
    expect((await failureOf(sandbox, DEEP.recursion)).kind).toBe('stack-limit');
    const caught = 'try { (function f() { f() })() } catch (e) { return e.name }';
    expect((await sandbox.run(caught)).value).toBe('RangeError');
    const usual = 'const f = (n) => n === 0 ? 0 : 1 + f(n - 1); return f(500)';
    expect((await sandbox.run(usual)).value).toBe(500);
  });

  verifies('SANDBOX-LIMIT-04', 'abort and timeout end a run promptly, whatever it does', async () => {
    const sandbox = newSandbox({ cpuMs: 60_000, wallMs: 60_000 });
    const busy = [
      'for (;;);',
      'return new Array(2 ** 32 - 1).join("")',
      'await sleep(1e9)',
      '/^(a+)+$/.test("a".repeat(60) + "b")',
    ];
    const ended = busy.map(async (code) => {
      const started = performance.now();
      expect((await failureOf(sandbox, code, { timeoutMs: 300 })).kind).toBe('timeout');
      const controller = new AbortController();
      // Aborted when the code has certainly begun.
      const begun = () => void delay(30).then(() => controller.abort());
      const options = { functions: { begun }, signal: controller.signal };
      const ended = failureOf(sandbox, `await begun(); ${code}`, options);
      expect((await ended).kind).toBe('cancelled');
      expect(performance.now() - started).toBeLessThan(20_000);
    });
    await Promise.all(ended);
    expect((await failureOf(sandbox, 'return 1', { signal: AbortSignal.abort() })).kind).toBe('cancelled');
    expect(sandbox.workers).toBeLessThanOrEqual(4);
  });

  verifies('SANDBOX-LIMIT-04', 'waiting costs no CPU time', async () => {
    const sandbox = newSandbox({ cpuMs: 1_000 });
    const functions = { slow: () => delay(400) };
    const run = () => sandbox.run('await slow(); await sleep(400); await slow()', { functions }).catch(String);
    // On a busy machine even these statements may use up the time of the code, but not each time.
    await expect.poll(run).toMatchObject({
      wallMs: expect.toSatisfy((ms: number) => ms > 1_150),
      cpuMs: expect.toSatisfy((ms: number) => ms < 1_000),
    });
  });
});

describe('hostile runs', () => {
  verifies('SANDBOX-HOST-03', 'leave concurrent runs alone', async () => {
    // More time than the good runs take on a busy machine.
    const sandbox = newSandbox({ ...CPU, cpuMs: 1_500, memoryBytes: 2 * 1024 * 1024, concurrentRuns: 3 });
    const hostile = [ENDLESS.plain, MEMORY_BOMBS.arrays, DEEP.recursion, ENDLESS['in a promise chain']];
    const bad = hostile.map((code) => failureOf(sandbox, code));
    const good = Array.from({ length: 8 }, (_, n) => sandbox.run(`await sleep(10); return ${n}`));
    expect((await Promise.all(good)).map(({ value }) => value)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    for (const error of await Promise.all(bad)) expect(error.kind).toMatch(/-limit$/);
  });

  verifies('SANDBOX-HOST-03', 'give their memory back', async () => {
    const sandbox = newSandbox({ cpuMs: 100, concurrentRuns: 2 });
    const { 'array buffers': buffers, strings } = MEMORY_BOMBS;
    const others = [ENDLESS.plain, DEEP.recursion, 'return "x".repeat(3e6)', 'for (;;) print("x".repeat(1e4))'];
    const round = async (codes: readonly string[]) => {
      for (let index = 0; index < codes.length; index += 2) {
        await Promise.all(codes.slice(index, index + 2).map((code) => failureOf(sandbox, code)));
      }
    };
    await round([buffers, buffers]);
    const before = process.memoryUsage.rss();
    await round([buffers, buffers, buffers, buffers, buffers, strings, ...others]);
    expect(sandbox.workers).toBeLessThanOrEqual(2);
    // A single leaked engine of a memory bomb has 64 MiB; the bombs of these runs would leak more than 320 MiB.
    expect(process.memoryUsage.rss() - before).toBeLessThan(256 * 1024 * 1024);
  });

  verifies('SANDBOX-HOST-03', 'many usual runs do not grow the process', async () => {
    const sandbox = newSandbox({ concurrentRuns: 1 });
    const round = async (count: number) => {
      for (let index = 0; index < count; index++) await sandbox.run('return new Uint8Array(8 * 2 ** 20).fill(1)[0]');
    };
    await round(10);
    const before = process.memoryUsage.rss();
    await round(30);
    // The engines of these runs have touched 240 MiB.
    expect(process.memoryUsage.rss() - before).toBeLessThan(128 * 1024 * 1024);
    expect(sandbox.workers).toBe(1);
  });
});
