import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { verifies } from '@a2c/requirements';
import { SANDBOX_LIMITS } from '@a2c/sandbox';
import { describe, expect, vi } from 'vitest';
import { failureOf, fileSandbox, newSandbox } from './sandboxes.js';

// Worker threads on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const sandbox = fileSandbox();

const ENTRY = new URL('../dist/index.js', import.meta.url).href;

describe('running code', () => {
  verifies('SANDBOX-RUN-01', 'top-level await and return', async () => {
    expect((await sandbox.run('return 6 * 7')).value).toBe(42);
    expect((await sandbox.run('const x = await Promise.resolve({ a: [1] }); return x // done')).value).toEqual({
      a: [1],
    });
    expect((await sandbox.run('await sleep(5)')).value).toBeUndefined();
    expect((await sandbox.run('')).value).toBeUndefined();
    expect((await sandbox.run('return help(2)', { prelude: 'function help(n) { return n * 2 }' })).value).toBe(4);
  });

  verifies('SANDBOX-RUN-01', 'the mode is strict, so that a misspelt name is an error', async () => {
    expect((await failureOf(sandbox, 'total = 1')).message).toContain('total is not defined');
  });

  verifies('SANDBOX-RUN-02', 'types are removed and positions kept', async () => {
    const code = `interface Row { readonly id: number; tags?: string[] }
const pick = <T extends Row>(rows: T[], id: number): T | undefined => rows.find((row) => row.id === id);
const found = pick<Row>([{ id: 1 }, { id: 2, tags: ['x'] }], 2)!;
type Unused = Map<string, Row>;
return [found as Row, (found satisfies Row).tags?.length];`;
    expect((await sandbox.run(code)).value).toEqual([{ id: 2, tags: ['x'] }, 1]);
    const error = await failureOf(
      sandbox,
      'const a: number = 1;\nfunction f(x: { y: string }): never { throw new Error("here") }\nf({ y: "" })',
    );
    expect(error).toMatchObject({ kind: 'runtime', line: 2 });
    expect(error.guestStack).toMatch(/at f \(code\.ts:2:\d+\)\n.*\(code\.ts:3:\d+\)/);
    expect(error.column).toBeGreaterThan(40);
  });

  verifies('SANDBOX-RUN-03', 'print is collected, reported and cut', async () => {
    const sandbox = newSandbox({ outputBytes: 20 });
    const lines: string[] = [];
    const { output } = await sandbox.run('print("a", 1, { b: [1n] }); print(); print(undefined, null)', {
      onPrint: (text) => lines.push(text),
    });
    expect(output).toBe('a 1 {"b":["1"]}\n\nund');
    expect(lines.join('')).toBe(output);
    const many = await sandbox.run('for (let i = 0; i < 1e4; i++) print("äöü"); return 1');
    expect(many).toMatchObject({ value: 1, outputTruncated: true });
    expect(Buffer.byteLength(many.output)).toBeLessThanOrEqual(20);
    expect((await failureOf(sandbox, 'print("seen"); throw 1')).output).toBe('seen\n');
    const odd = 'const o = {}; o.o = o; print(o, () => 1, Symbol("s"), { get x() { throw 1 } }); return 1';
    expect((await sandbox.run(odd)).value).toBe(1);
  });

  verifies('SANDBOX-RUN-04', 'nothing is left for the next run in the same worker', async () => {
    const sandbox = newSandbox({ concurrentRuns: 1 });
    const spoil = `globalThis.left = 1; Object.prototype.left = 1; Array.prototype.map = () => 'spoilt';
      JSON.stringify = () => 'spoilt'; Promise.prototype.catch = undefined; return typeof left`;
    const look =
      'return [typeof left, ({}).left, [1].map((x) => x), JSON.stringify(1), typeof Promise.prototype.catch]';
    for (let turn = 0; turn < 3; turn++) {
      await sandbox.run(spoil);
      expect((await sandbox.run(look)).value).toEqual(['undefined', null, [1], '1', 'function']);
    }
    expect(sandbox.workers).toBe(1);
  });
});

describe('threads', () => {
  verifies('SANDBOX-RUN-05', 'an idle sandbox lets the process end, a run keeps it alive', async () => {
    const script = `import { Sandbox } from '${ENTRY}';
      const sandbox = new Sandbox();
      const { value } = await sandbox.run('await sleep(200); return 1');
      console.log(value, sandbox.workers);`;
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
    expect([stdout, stderr]).toEqual(['1 1\n', '']);
  });

  verifies('SANDBOX-RUN-05', 'close ends runs and threads', async () => {
    const sandbox = newSandbox({ concurrentRuns: 2 });
    const ends = Promise.all(
      ['for (;;);', 'await sleep(1e6)', 'return 1', 'return 2'].map((code) =>
        sandbox.run(code).then(
          () => 'done',
          (error: { kind: string }) => error.kind,
        ),
      ),
    );
    await vi.waitUntil(() => sandbox.workers === 2, { timeout: 30_000 });
    await sandbox.close();
    expect(await ends).toEqual(['closed', 'closed', 'closed', 'closed']);
    expect(sandbox.workers).toBe(0);
    expect((await failureOf(sandbox, 'return 1')).kind).toBe('closed');
  });

  verifies('SANDBOX-RUN-05', 'an idle thread ends', async () => {
    const sandbox = newSandbox({ idleMs: 50 });
    await sandbox.run('return 1');
    await vi.waitUntil(() => sandbox.workers === 0, { timeout: 30_000 });
    expect((await sandbox.run('return 2')).value).toBe(2);
  });

  verifies('SANDBOX-RUN-06', 'runs wait for their turn up to a number', async () => {
    const sandbox = newSandbox({ concurrentRuns: 2, waitingRuns: 5 });
    const runs = Array.from({ length: 5 }, (_, index) => sandbox.run(`await sleep(20); return ${index}`));
    const refused = await failureOf(sandbox, 'return 9');
    expect(refused).toMatchObject({ kind: 'busy', message: '5 runs wait already; try again later' });
    expect((await Promise.all(runs)).map(({ value }) => value)).toEqual([0, 1, 2, 3, 4]);
    expect(sandbox.workers).toBeLessThanOrEqual(2);
    expect(SANDBOX_LIMITS.concurrentRuns).toBeGreaterThan(1);
  });
});

describe('errors', () => {
  verifies('SANDBOX-ERROR-01', 'a syntax error has a place and a caret', async () => {
    expect(await failureOf(sandbox, 'const a = 1;\nlet b = (a;\nreturn b')).toMatchObject({
      kind: 'syntax',
      line: 2,
      column: 11,
      message: "syntax error at line 2, column 11: Expected ',', got ';'\n  2 | let b = (a;\n    |           ^",
    });
    expect(await failureOf(sandbox, 'return [1, 2')).toMatchObject({ kind: 'syntax', line: 1, column: 13 });
    expect(await failureOf(sandbox, 'return 1 +')).toMatchObject({ kind: 'syntax', line: 1 });
    expect(await failureOf(sandbox, 'let a; \n let a;')).toMatchObject({ kind: 'syntax', line: 2 });
    expect((await failureOf(sandbox, 'enum Colour { Red }')).message).toContain('TypeScript enum is not supported');
    expect((await failureOf(sandbox, 'import fs from "node:fs";')).kind).toBe('syntax');
    expect((await failureOf(sandbox, `${' '.repeat(5_000)}let let = (;`)).message.length).toBeLessThan(500);
    // The code closes the function around it: odd, and without any effect beyond the run.
    expect((await sandbox.run('return 1 }); (async () => { return 2')).value).toBe(2);
  });

  verifies('SANDBOX-ERROR-02', 'a thrown error shows message and stack in the lines of the code', async () => {
    const error = await failureOf(
      sandbox,
      'function outer() {\n  inner();\n}\nfunction inner() {\n  null.x;\n}\nouter();',
    );
    expect(error).toMatchObject({ kind: 'runtime', line: 5 });
    expect(error.message).toMatch(
      /^TypeError: .*null.*\n {4}at inner \(code\.ts:5:\d+\)\n {4}at outer \(code\.ts:2:\d+\)\n.*code\.ts:7:\d+\)$/,
    );
    const call = await failureOf(sandbox, '\nconst a = 1;\nawait fetchIt(a);', {
      functions: { fetchIt: () => Promise.reject(new RangeError('no such page')) },
    });
    expect(call).toMatchObject({ kind: 'runtime', line: 3 });
    expect(call.message).toContain('RangeError: no such page');
    expect(call.message).not.toContain('bootstrap');
    expect((await failureOf(sandbox, 'return 1', { prelude: 'nothing()' })).message).toContain('the prelude failed');
  });

  verifies('SANDBOX-ERROR-03', 'code that waits for nothing ends at once', async () => {
    const error = await failureOf(sandbox, 'await new Promise(() => {})');
    expect(error.kind).toBe('stalled');
    expect(error.message).toContain('nothing can settle');
  });
});
