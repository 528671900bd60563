import { verifies } from '@a2c/requirements';
import type { JsonValue } from '@a2c/sandbox';
import { describe, expect, vi } from 'vitest';
import { failureOf, fileSandbox, newSandbox } from './sandboxes.js';

// Worker threads on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const sandbox = fileSandbox();

/** ECMAScript without shared memory, plus QuickJS's InternalError and queueMicrotask. */
const GLOBALS =
  `AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError
  FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array InternalError
  Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError
  TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet decodeURI decodeURIComponent
  encodeURI encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt queueMicrotask undefined unescape`
    .split(/\s+/)
    .toSorted();

describe('isolation', () => {
  verifies('SANDBOX-HOST-01', 'the globals are the language and what was provided', async () => {
    const { value } = await sandbox.run('return Reflect.ownKeys(globalThis).map(String)', {
      functions: { search: () => 1 },
      namespaces: { servers: () => 1 },
    });
    const names = (value as string[]).filter((name) => !name.startsWith('Symbol('));
    expect(names.toSorted()).toEqual([...GLOBALS, 'print', 'search', 'servers', 'sleep'].toSorted());
  });

  verifies('SANDBOX-HOST-01', 'no object that can be reached knows more', async () => {
    // Every object and function reachable from the globals and from a provided function, by property or prototype.
    const walk = `const seen = new Set(); const names = new Set(); const queue = [globalThis, search, servers, print, search().constructor];
      while (queue.length > 0) {
        const object = queue.pop();
        if ((typeof object !== 'object' && typeof object !== 'function') || object === null || seen.has(object)) continue;
        seen.add(object);
        queue.push(Object.getPrototypeOf(object));
        let keys = [];
        try { keys = Reflect.ownKeys(object); } catch { names.add('cannot be listed'); }
        for (const key of keys) {
          names.add(String(key));
          const { value, get, set } = Object.getOwnPropertyDescriptor(object, key);
          queue.push(value, get, set);
        }
      }
      return { objects: seen.size, names: [...names] }`;
    const functions = { search: () => 1 };
    const { value } = await sandbox.run(walk, { functions, namespaces: { servers: () => 1 } });
    const { objects, names } = value as { objects: number; names: string[] };
    expect(objects).toBeGreaterThan(500);
    expect(names).toContain('cannot be listed');
    const forbidden = [
      'process',
      'require',
      'module',
      'fetch',
      'setTimeout',
      'parentPort',
      'workerData',
      'mainModule',
      'binding',
      'WebAssembly',
      'Atomics',
      'SharedArrayBuffer',
      'performance',
      'std',
      'os',
      'scriptArgs',
      'loadScript',
      'Worker',
      'postMessage',
    ];
    expect(forbidden.filter((name) => names.includes(name))).toEqual([]);
  });

  verifies('SANDBOX-HOST-02', 'ways out of other sandboxes lead nowhere', async () => {
    const functions = {
      give: () => ({ list: [1], text: 'x' }),
      refuse: () => Promise.reject(new Error('no')),
      take: (args: readonly JsonValue[]) => args.length,
    };
    const nowhere = 'return typeof process + typeof require + typeof fetch';
    const attempts = {
      'the Function of this': 'this?.constructor.constructor(`X`)()',
      'the Function of globalThis': 'globalThis.constructor.constructor(`X`)()',
      'the Function of a host function': 'give.constructor(`X`)()',
      'the Function of a result': '(await give()).constructor.constructor(`X`)()',
      'the Function of a list': '(await give()).list.map.constructor(`X`)()',
      'the Function of a promise': 'give().constructor.constructor(`X`)()',
      'the Function of an error': 'await refuse().catch((e) => e.constructor.constructor(`X`)())',
      'the Function of an async function': 'await (async () => {}).constructor(`X`)()',
      'the Function of a generator': '(function* () {}).constructor(`X`)().next().value',
      'the Function of a namespace': 'Object.getPrototypeOf(servers.a).constructor(`X`)()',
      'indirect eval': '(0, eval)(`(() => { X })()`)',
    };
    for (const [name, attempt] of Object.entries(attempts)) {
      const code = `return ${attempt.replace('`X`', `\`${nowhere}\``).replace('X', nowhere)}`;
      const { value } = await sandbox.run(code, { functions, namespaces: { servers: () => 1 } });
      expect(value === undefined || value === 'undefinedundefinedundefined', `${name}: ${JSON.stringify(value)}`).toBe(
        true,
      );
    }
    for (const name of [
      'node:fs',
      'fs',
      './x.js',
      'data:text/javascript,export default 1',
      '/etc/passwd',
      'qjs:std',
      'std',
      'os',
    ]) {
      const { message } = await failureOf(sandbox, `return await import(${JSON.stringify(name)})`);
      expect(message).toContain('could not load module');
    }
    // Its call sites would hand out our functions, with which calls could be made past the limits.
    const stack = 'Error.prepareStackTrace = (e, sites) => sites; return new Error().stack[0].getFunction()';
    expect(await failureOf(sandbox, stack)).toMatchObject({ message: expect.stringContaining('prepareStackTrace') });
    expect((await sandbox.run('return typeof arguments', {})).value).toBe('undefined');
    const caller = 'function f() { return f.caller } try { return typeof f() } catch (e) { return e.name }';
    expect((await sandbox.run(caller)).value).not.toBe('function');
  });

  verifies('SANDBOX-HOST-02', 'games with prototypes stay inside', async () => {
    const seen: (readonly JsonValue[])[] = [];
    const functions = { take: (args: readonly JsonValue[]) => void seen.push(args) };
    const games = [
      'Object.prototype.polluted = 1; Array.prototype.polluted = 1; await take({ a: 1 }, [2])',
      'Array.prototype.toJSON = () => 5; Object.prototype.toJSON = undefined; await take([1])',
      'Object.defineProperty(Array.prototype, 0, { set() {}, get: () => 9 }); try { await take(1) } catch {}',
      'Array.prototype[Symbol.iterator] = function* () { yield* "abc" }; try { await take(1) } catch {}',
      'Function.prototype.call = Function.prototype.apply = () => 1; Reflect.apply = () => 2; await take(1)',
      'Promise.prototype.then = () => 1; globalThis.Promise = null; await take(1)',
      'String.prototype.slice = () => 1; Map.prototype.forEach = null; await take("x")',
      'Object.keys = () => ["a"]; Array.isArray = () => true; await take({ b: 1 })',
      'Object.setPrototypeOf(globalThis, new Proxy({}, { get() { return 1 } })); await take(1)',
      'take.constructor = 1; take.prototype = { then: 1 }; Object.freeze(take); await take(1)',
    ];
    for (const game of games) {
      try {
        await sandbox.run(`${game}; return 1`, { functions });
      } catch (error) {
        expect((error as { kind: string }).kind).toMatch(/runtime|stalled|result-invalid/);
      }
    }
    expect(seen.length).toBeGreaterThan(5);
    for (const args of seen) {
      expect(Array.isArray(args)).toBe(true);
      expect(args).not.toHaveProperty('polluted');
    }
    expect({}).not.toHaveProperty('polluted');
    expect((await sandbox.run('return [1].length')).value).toBe(1);
  });

  verifies('SANDBOX-HOST-04', 'unusual source text', async () => {
    expect(await failureOf(sandbox, 'x'.repeat(10_000_000))).toMatchObject({
      kind: 'code-too-large',
      message: 'the code has 10000000 bytes; the limit is 262144',
    });
    const large = newSandbox({ codeBytes: 4_000_000, cpuMs: 30_000 });
    const long = `const a = "${'x'.repeat(2_000_000)}"; return a.length`;
    expect((await large.run(long)).value).toBe(2_000_000);
    expect((await sandbox.run('return "a\u0000b".length')).value).toBe(3);
    expect((await failureOf(sandbox, 'return 1 \u0000 + 1')).kind).toBe('syntax');
    expect((await sandbox.run('return "a\ud800b".length')).value).toBe(3);
    expect((await sandbox.run('\ufeffreturn 1\r\n// \u2028')).value).toBe(1);
    expect((await failureOf(sandbox, '\ud800\udc00\ud800')).kind).toBe('syntax');
    for (const nested of [
      '('.repeat(50_000),
      '['.repeat(50_000),
      'a=>'.repeat(50_000),
      '{'.repeat(100_000),
      '`${'.repeat(20_000),
      `const a: ${'Array<'.repeat(20_000)}1${'>'.repeat(20_000)} = 1`,
    ]) {
      expect((await failureOf(sandbox, nested)).kind).toMatch(/^(syntax|stack-limit|memory-limit|cpu-limit)$/);
    }
    expect((await sandbox.run('return 2')).value).toBe(2);
  });

  verifies('SANDBOX-HOST-04', 'unusual thrown values', async () => {
    const thrown = async (code: string) => (await failureOf(sandbox, code)).message;
    expect(await thrown('throw undefined')).toBe('the code threw a value that is no Error: undefined');
    expect(await thrown('throw null')).toContain('null');
    expect(await thrown('throw "text"')).toContain('"text"');
    expect(await thrown('throw { a: 1n }')).toContain('{"a":"1"}');
    expect(await thrown('throw Symbol("s")')).toContain('Symbol(s)');
    expect(await thrown('throw () => 1')).toContain('no Error');
    expect(await thrown('throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })')).toContain(
      'no Error',
    );
    expect(await thrown('throw new Proxy(new Error("in a proxy"), {})')).toContain('in a proxy');
    const getters = '{ get() { throw new Error("inner") } }';
    for (const key of ['message', 'stack', 'name']) {
      const code = `const e = new Error("m"); Object.defineProperty(e, "${key}", ${getters}); throw e`;
      expect((await failureOf(sandbox, code)).kind).toBe('runtime');
    }
    expect(await thrown('const e = new Error("m"); e.stack = { a: 1 }; e.name = 5; throw e')).toBe('Error: m');
    expect((await thrown('throw new Error("x".repeat(1e6))')).length).toBeLessThan(10_000);
    expect((await thrown('throw Object.create(null)')).length).toBeLessThan(200);
    expect(
      await thrown('class MyError extends Error { name = "MyError" } throw new MyError("own", { cause: 1 })'),
    ).toContain('MyError: own');
    expect(await thrown('throw new AggregateError([new Error("one")], "many")')).toContain('AggregateError: many');
  });
});
