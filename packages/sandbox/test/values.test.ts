import { verifies } from '@a2c/requirements';
import { describe, expect, vi } from 'vitest';
import { jsonShape } from '../src/worker/json-shape.js';
import { failureOf, fileSandbox, newSandbox } from './sandboxes.js';

// Worker threads on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const sandbox = fileSandbox();

describe('values', () => {
  verifies('SANDBOX-VALUE-01', 'are converted by the table of the README', async () => {
    const of = async (expression: string) => (await sandbox.run(`return ${expression}`)).value;
    expect(await of('undefined')).toBeUndefined();
    expect(await of('null')).toBeNull();
    expect(await of('[undefined, () => 1, Symbol(), NaN, -Infinity, -0]')).toEqual([null, null, null, null, null, 0]);
    expect(await of('({ a: undefined, b: () => 1, [Symbol()]: 1, c: 1 })')).toEqual({ c: 1 });
    expect(await of('[10n ** 20n, new Date(0), new Date(NaN), /a/gi]')).toEqual([
      '100000000000000000000',
      '1970-01-01T00:00:00.000Z',
      null,
      '/a/gi',
    ]);
    expect(await of('[new Map([["a", new Set([1])]]), new Map([[1, 2]]), new Uint8Array([1, 2])]')).toEqual([
      { a: [1] },
      [[1, 2]],
      [1, 2],
    ]);
    expect(await of('Object.assign(new TypeError("no"), { code: 7 })')).toEqual({
      name: 'TypeError',
      message: 'no',
      code: 7,
    });
    expect(await of('new (class Row { id = 1; get double() { return 2 } #hidden = 3 })()')).toEqual({ id: 1 });
    expect(await of('({ toJSON: () => ({ x: 1n }) })')).toEqual({ x: '1' });
    expect(await of('new Proxy([1, 2], {})')).toEqual([1, 2]);
    expect(await of('"\\ud800 \\u0000 \\u2028 😀"')).toBe('\ud800 \u0000 \u2028 😀');
    const shared = 'const one = { a: 1 }; return [one, one]';
    expect((await sandbox.run(shared)).value).toEqual([{ a: 1 }, { a: 1 }]);
  });

  verifies('SANDBOX-VALUE-01', 'that have no form are refused with their path', async () => {
    const refusal = async (code: string) => {
      const { kind, message } = await failureOf(sandbox, code);
      return `${kind}: ${message.split('\n')[0]}`;
    };
    expect(await refusal('return { rows: [1, Promise.resolve()] }')).toBe(
      'result-invalid: result.rows[1] is a promise; await it',
    );
    expect(await refusal('return () => 1')).toBe('result-invalid: result is a function; call it');
    expect(await refusal('return Symbol()')).toBe('result-invalid: result is a symbol; describe it');
    expect(await refusal('const o = { a: {} }; o.a.o = o; return o')).toContain('result.a.o refers to an object');
    expect(await refusal('return { b: new ArrayBuffer(1) }')).toContain('result.b is a buffer');
    expect(await refusal('return { get a() { throw new RangeError("mine") } }')).toBe('runtime: RangeError: mine');
    expect(await refusal('const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return { proxy }')).toContain(
      'runtime',
    );
  });

  verifies('SANDBOX-VALUE-02', 'never bring a prototype along', async () => {
    const seen: unknown[] = [];
    const functions = {
      take: ([value]: readonly unknown[]) => {
        seen.push(value);
        return JSON.parse('{ "__proto__": { "polluted": true }, "constructor": { "prototype": 1 } }') as unknown;
      },
    };
    const code = `const evil = JSON.parse('{ "__proto__": { "polluted": true }, "a": { "__proto__": [] } }');
      const got = await take(evil);
      return { evil, plain: Object.getPrototypeOf(got) === Object.prototype, own: Object.keys(got), polluted: got.polluted }`;
    const { value } = await sandbox.run(code, { functions });
    expect(value).toEqual({ evil: { a: {} }, plain: true, own: ['__proto__', 'constructor'] });
    expect(seen).toEqual([{ a: {} }]);
    expect(Object.assign({}, seen[0]) as { polluted?: boolean }).not.toHaveProperty('polluted');
    // Code that gets its own text past the conversion is read with the same care.
    const smuggle = `Object.defineProperty(Array.prototype, 'toJSON', { value: () => 1 });
      Object.prototype.toJSON = () => ({ toJSON: undefined, ['__proto__']: { polluted: true } });
      return { a: 1 }`;
    const smuggled = (await sandbox.run(smuggle)).value as { polluted?: boolean };
    expect(smuggled.polluted).toBeUndefined();
    expect(Object.getPrototypeOf(smuggled)).toBe(Object.prototype);
  });

  verifies('SANDBOX-VALUE-03', 'are bounded in both directions', async () => {
    const sandbox = newSandbox({ resultBytes: 1_000, argumentBytes: 1_000, callResultBytes: 1_000, depth: 10 });
    const functions = { take: () => 1, give: () => 'x'.repeat(2_000) };
    expect(await failureOf(sandbox, 'return "x".repeat(1500)')).toMatchObject({
      kind: 'result-too-large',
      message: 'the result has 1502 bytes; the limit is 1000. Return only what is needed',
    });
    expect((await failureOf(sandbox, 'return "ä".repeat(600)')).message).toContain('has 1202 bytes');
    expect((await failureOf(sandbox, 'return "x".repeat(1e6)')).message).toContain('has more than');
    const deep = 'let a = []; for (let i = 0; i < 20; i++) a = [a]; ';
    expect((await failureOf(sandbox, `${deep} return a`)).message).toContain('deeper than 10 levels');
    const caught = (call: string) => `${deep} try { ${call} } catch (e) { return e.message }`;
    const reason = async (call: string) => (await sandbox.run(caught(call), { functions })).value;
    expect(await reason('await take("x".repeat(1500))')).toBe(
      'the arguments of take have 1504 bytes; the limit is 1000',
    );
    expect(await reason('await take(a)')).toContain('deeper than 10 levels');
    expect(await reason('await give()')).toBe('the result of give has 2002 bytes; the limit is 1000');
  });

  verifies('SANDBOX-VALUE-03', 'are bounded in number, in arguments and in the result', async () => {
    const functions = { take: () => 1 };
    const many = 'const a = Array.from({ length: 60000 }, () => []);';
    const caught = `${many} try { await take(a) } catch (e) { return e.message }`;
    expect((await sandbox.run(caught, { functions })).value).toContain('exceed the limits');
    expect(await failureOf(sandbox, `${many} return a`)).toMatchObject({
      kind: 'result-too-large',
      message: 'the result has 120001 values; the limit is 50000. Return only what is needed',
    });
    expect((await sandbox.run('return take(Array.from({ length: 49000 }, () => 1))', { functions })).value).toBe(1);
  });

  verifies('SANDBOX-VALUE-03', 'depth and values are counted outside strings', () => {
    const texts = ['1', '[]', '[{"a":[1]}]', '"[[[,"', '["\\"[[", "\\\\", [1]]'];
    expect(texts.map((text) => jsonShape(text).depth)).toEqual([0, 1, 3, 0, 2]);
    expect(texts.map((text) => jsonShape(text).values)).toEqual([1, 2, 4, 1, 5]);
    expect(jsonShape('['.repeat(100_000)).depth).toBe(100_000);
  });
});
