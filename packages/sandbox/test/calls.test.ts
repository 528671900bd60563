import { setTimeout as delay } from 'node:timers/promises';
import { verifies } from '@a2c/requirements';
import type { JsonValue } from '@a2c/sandbox';
import { describe, expect, vi } from 'vitest';
import { failureOf, fileSandbox, newSandbox } from './sandboxes.js';

// Worker threads on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const sandbox = fileSandbox();

describe('host functions', () => {
  verifies('SANDBOX-CALL-01', 'take and return JSON values', async () => {
    const seen: unknown[] = [];
    const functions = {
      add: ([a, b]: readonly JsonValue[]) => Number(a) + Number(b),
      note: (args: readonly JsonValue[]) => void seen.push(args),
      later: async () => {
        await delay(5);
        return { when: new Date(0), big: 2n ** 64n };
      },
    };
    const code = `note({ a: [1, 'x', null, true] }, undefined, 3);
      return [await add(1, 2), await later(), await note()]`;
    expect((await sandbox.run(code, { functions })).value).toEqual([
      3,
      { when: '1970-01-01T00:00:00.000Z', big: '18446744073709551616' },
      null,
    ]);
    expect(seen).toEqual([[{ a: [1, 'x', null, true] }, null, 3], []]);
  });

  verifies('SANDBOX-CALL-01', 'failures are errors with name, message and code', async () => {
    const functions = {
      refuse: () => {
        throw Object.assign(new TypeError('not today'), { code: 4003 });
      },
      odd: () => Promise.reject('just text'),
      cyclic: () => {
        const value: Record<string, unknown> = {};
        value.self = value;
        return value;
      },
    };
    const code = `const errors = [];
      for (const f of [refuse, odd, cyclic]) try { await f() } catch (e) { errors.push([e instanceof Error, e.name, e.message.slice(0, 30), e.code]) }
      return errors`;
    expect((await sandbox.run(code, { functions })).value).toEqual([
      [true, 'TypeError', 'not today', 4003],
      [true, 'Error', 'just text', null],
      [true, 'TypeError', expect.stringContaining('circular'), null],
    ]);
  });

  verifies('SANDBOX-CALL-02', 'a namespace passes the path, whatever the names are', async () => {
    const namespaces = {
      servers: (args: readonly JsonValue[], { path }: { path: readonly string[] }) => ({ path, args }),
    };
    const ask = async (code: string) => (await sandbox.run(`return ${code}`, { namespaces })).value;
    expect(await ask('await servers.github.create_issue({ title: "x" })')).toEqual({
      path: ['servers', 'github', 'create_issue'],
      args: [{ title: 'x' }],
    });
    expect(await ask('await servers["my server"]["a.b/c-d"](1, 2)')).toMatchObject({
      path: ['servers', 'my server', 'a.b/c-d'],
      args: [1, 2],
    });
    expect(await ask('await servers.constructor.prototype.__proto__.call()')).toMatchObject({
      path: ['servers', 'constructor', 'prototype', '__proto__', 'call'],
    });
    expect(await ask('[typeof servers.a.then, typeof servers.a, "x" in servers]')).toEqual([
      'undefined',
      'function',
      false,
    ]);
    expect((await failureOf(sandbox, 'return servers.a', { namespaces })).message).toBe(
      'result is a function; call it',
    );
    expect((await failureOf(sandbox, 'servers.a = 1', { namespaces })).kind).toBe('runtime');
    expect((await failureOf(sandbox, 'await servers["x".repeat(5000)]()', { namespaces })).message).toContain('exceed');
  });

  verifies('SANDBOX-CALL-03', 'calls beyond the number in flight wait', async () => {
    const sandbox = newSandbox({ callsInFlight: 3 });
    let now = 0;
    let most = 0;
    const work = async ([n]: readonly JsonValue[]) => {
      most = Math.max(most, ++now);
      await delay(5);
      now--;
      return n;
    };
    const code = 'return (await Promise.all(Array.from({ length: 40 }, (_, i) => work(i)))).length';
    expect(await sandbox.run(code, { functions: { work } })).toMatchObject({ value: 40, calls: 40 });
    expect(most).toBe(3);
  });

  verifies('SANDBOX-CALL-03', 'calls beyond the total end the run', async () => {
    const sandbox = newSandbox({ calls: 50 });
    const functions = { ping: () => 1 };
    const loop = await failureOf(sandbox, 'for (;;) await ping()', { functions });
    expect(loop).toMatchObject({ kind: 'too-many-calls', calls: 51 });
    const caught = 'for (;;) { try { ping() } catch {} }';
    expect((await failureOf(sandbox, caught, { functions })).kind).toBe('too-many-calls');
    expect((await failureOf(sandbox, 'for (;;) sleep(1)')).kind).toBe('too-many-calls');
  });

  verifies('SANDBOX-CALL-03', 'thousands of calls work where the limit allows them', async () => {
    const sandbox = newSandbox({ calls: 2_500, cpuMs: 30_000 });
    const code = 'let sum = 0; for (let i = 0; i < 2000; i++) sum += await same(i); return sum';
    const functions = { same: ([n]: readonly JsonValue[]) => n };
    expect((await sandbox.run(code, { functions })).value).toBe((2000 * 1999) / 2);
  });

  verifies('SANDBOX-CALL-04', 'the end of a run aborts its pending calls, however it ends', async () => {
    const sandbox = newSandbox({ cpuMs: 300 });
    const started: string[] = [];
    const aborted: string[] = [];
    const hang = ([name]: readonly JsonValue[], { signal }: { signal: AbortSignal }) =>
      new Promise((_, reject) => {
        started.push(String(name));
        signal.addEventListener('abort', () => {
          aborted.push(String(name));
          reject(signal.reason);
        });
      });
    const functions = { hang };
    await sandbox.run('hang("returned"); return 1', { functions });
    await failureOf(sandbox, 'hang("threw"); throw new Error()', { functions });
    await failureOf(sandbox, 'await hang("timed out")', { functions, timeoutMs: 2_000 });
    await failureOf(sandbox, 'hang("looped"); await sleep(20); for (;;);', { functions });
    const controller = new AbortController();
    const cancelled = failureOf(sandbox, 'await hang("cancelled")', { functions, signal: controller.signal });
    await vi.waitUntil(() => started.at(-1) === 'cancelled', { timeout: 30_000 });
    controller.abort();
    expect((await cancelled).kind).toBe('cancelled');
    expect(aborted).toEqual(['returned', 'threw', 'timed out', 'looped', 'cancelled']);
  });

  verifies('SANDBOX-CALL-05', 'calls that were never awaited are reported', async () => {
    const functions = {
      slow: () => delay(60_000, undefined, { ref: false }),
      bad: () => Promise.reject(new Error('it failed')),
      good: () => 1,
    };
    const run = async (code: string) => (await sandbox.run(code, { functions })).unawaited;
    expect(await run('slow(); return 1')).toEqual([{ path: ['slow'], state: 'pending' }]);
    expect(await run('[1, 2].forEach(async () => { await slow() })')).toHaveLength(2);
    expect(await run('bad(); await good(); await good()')).toEqual([
      { path: ['bad'], state: 'rejected', message: 'it failed' },
    ]);
    expect(await run('const p = bad(); await good(); await good(); try { await p } catch (e) { e.message }')).toEqual(
      [],
    );
    expect(
      await run(
        'good(); print(await Promise.allSettled([bad(), good()])); bad().catch(String); await good(); await good()',
      ),
    ).toEqual([]);
  });

  verifies('SANDBOX-CALL-05', 'failed calls whose error the code never reads are reported', async () => {
    const functions = { bad: () => Promise.reject(new Error('it failed')), good: () => 1 };
    const lost = { path: ['bad'], state: 'rejected', message: 'it failed' };
    for (const code of [
      '[1].forEach(async () => { await bad() }); await good(); await good()',
      'async function main() { await bad() } main(); await good(); await good()',
      'bad().then(print); await good(); await good()',
      'Promise.all([bad()]); await good(); await good()',
      'try { await bad() } catch {}',
    ]) {
      expect((await sandbox.run(code, { functions })).unawaited, code).toEqual([lost]);
    }
    const own = 'const o = {}; o.o = o; good(o); await good(); await good()';
    expect((await sandbox.run(own, { functions })).unawaited).toEqual([
      { path: ['good'], state: 'rejected', message: 'arguments[0].o refers to an object that contains it' },
    ]);
    const changed = 'try { await bad() } catch (e) { e.message = "again: " + e.message; return e.message }';
    expect((await sandbox.run(changed, { functions })).value).toBe('again: it failed');
  });

  verifies('SANDBOX-CALL-05', 'errors of async functions whose promise the code throws away are reported', async () => {
    const functions = { bad: () => Promise.reject(new Error('it failed')), good: () => 1 };
    const run = async (code: string) => (await sandbox.run(code, { functions })).unawaited;
    const error = (message: string) => [{ path: [], state: 'rejected', message }];
    const missing = 'TypeError: cannot read property';
    for (const code of [
      '[1].forEach(async () => {\n await good(); null.x }); await good(); await good()',
      'const f = async () => {\n null.x }; f(); await good(); await good()',
      'async function f() { await good();\n null.x } void f(); await good(); await good()',
      'const o = { async f() {\n null.x } }; o.f(); await good(); await good()',
      '[1].map(async (n: number) => {\n null.x }); await good(); await good()',
    ]) {
      const [only, ...others] = await run(code);
      expect(only, code).toMatchObject({ path: [], state: 'rejected' });
      expect(only?.message, code).toMatch(new RegExp(`^${missing}.* \\(line 2\\)$`));
      expect(others, code).toEqual([]);
    }
    expect(await run('(async () => { throw 5 })()')).toEqual(error('the code threw a value that is no Error: 5'));
    for (const code of [
      'const f = async () => { throw new Error("x") }; await f().catch(() => {}); f().catch(() => {}); await good(); await good()',
      'const f = async () => { throw new Error("x") }; try { await f() } catch {}; await Promise.allSettled([f()])',
      'const f = async () => 1; f(); print("a"); [1].forEach(async () => {}); await good(); await good()',
    ]) {
      expect(await run(code), code).toEqual([]);
    }
    // A failed call in such a function is reported as the call; it is not reported twice.
    const call = 'const f = async () => { await bad() }; f(); await good(); await good()';
    expect(await run(call)).toEqual([{ path: ['bad'], state: 'rejected', message: 'it failed' }]);
    // What is added to the code changes no value and no column.
    const columns = 'const f = async () => 1; f(); [1].forEach(async () => {}); print(f(), f()); null.x';
    const { line, column } = await failureOf(sandbox, columns.replaceAll('async', '     '));
    expect(await failureOf(sandbox, columns)).toMatchObject({ line, column });
    expect(await failureOf(sandbox, `\n${columns}`)).toMatchObject({ line: 2, column });
  });

  verifies('SANDBOX-CALL-05', 'a promise is no result', async () => {
    const functions = { good: () => 1 };
    expect(await failureOf(sandbox, 'return [good()]', { functions })).toMatchObject({
      kind: 'result-invalid',
      message: 'result[0] is a promise; await it',
    });
  });
});
