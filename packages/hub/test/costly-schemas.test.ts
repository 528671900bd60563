import { verifies } from '@a2c/requirements';
import { describe, expect, onTestFinished } from 'vitest';
import { problemFinder } from '../src/calls/find-problems.js';
import { ServerThread } from '../src/calls/server-thread.js';
import { HubError } from '../src/index.js';
import { hub, server, textOf, tools } from './hub.js';

const object = (properties: Readonly<Record<string, unknown>>, rest: Readonly<Record<string, unknown>> = {}) => ({
  type: 'object',
  properties,
  ...rest,
});

/** Each level refers to the next one twice: 2^40 evaluations. */
const $defs = Object.fromEntries(
  Array.from({ length: 40 }, (_, level) => {
    const next = { $ref: `#/$defs/d${level + 1}` };
    return [`d${level}`, { anyOf: [next, next] }];
  }),
);

const HOSTILE = tools(
  { name: 'pattern', inputSchema: object({ x: { type: 'string', pattern: '^(a+)+$' } }) },
  { name: 'keys', inputSchema: object({}, { patternProperties: { '^(a+)+$': { type: 'string' } } }) },
  { name: 'references', inputSchema: object({ x: { $ref: '#/$defs/d0' } }, { $defs: { ...$defs, d40: false } }) },
  { name: 'format', inputSchema: object({ x: { type: 'string', format: ['url'] } }) },
  { name: 'dependency', inputSchema: object({}, { dependencies: { default: object({ x: { format: 'url' } }) } }) },
  { name: 'names', inputSchema: object({}, { allOf: Array(1_000).fill({ additionalProperties: {} }) }) },
  { name: 'lengths', inputSchema: object({ x: { allOf: Array(4_500).fill({ minLength: 1 }) } }) },
);

/** Every call is wrong, and its error has the signature of the tool. */
const NEEDS_TOKEN = ($defs: object) => ({ required: ['token'], $defs });

/** Each rule for its length reads all of it. */
const LONG = 'x'.repeat(4_000_000);

const EVIL = `${'a'.repeat(40)}!`;

describe('A schema that takes too long to check', () => {
  const arguments_ = {
    pattern: { x: EVIL },
    keys: { [EVIL]: 'x' },
    references: { x: 1 },
    lengths: { x: LONG },
    names: { [LONG]: 1 },
  };

  verifies('SEC-SCHEMA-01', 'does not delay other calls', async () => {
    const limits = { argumentCheckMs: 100_000 };
    const manager = await hub([server('bad', HOSTILE), server('good', tools('hello'))], { limits });
    for (const [tool, args] of Object.entries(arguments_)) {
      const enough = new AbortController();
      let isOver = false;
      const evil = manager.executeTool(tool, args, { signal: enough.signal }).finally(() => {
        isOver = true;
      });
      const cancelled = expect(evil, tool).rejects.toMatchObject({ kind: 'cancelled' });
      expect(textOf(await manager.executeTool('hello', {}))).toBe('called hello');
      expect(isOver, tool).toBe(false);
      enough.abort();
      await cancelled;
    }
  });

  verifies('COST-CHECK-01', 'does not delay the checks of other callers', async () => {
    const manager = await hub([server('bad', HOSTILE)], { limits: { argumentCheckMs: 100_000 } });
    const enough = new AbortController();
    const call = (caller: string, x: string) =>
      manager.executeTool('pattern', { x }, { caller, signal: enough.signal, timeout: 600 });
    const slow = ['evil', 'evil', 'evil', 'other'].map((caller) => call(caller, EVIL));
    const ended = Promise.race(slow.map((each) => each.catch(() => 'ended')));
    for (const caller of ['honest', 'another']) {
      const text = call(caller, 'aaa').then(textOf);
      expect(await Promise.race([text, ended])).toBe('called pattern');
    }
    enough.abort();
    for (const each of slow) await expect(each).rejects.toMatchObject({ kind: 'cancelled' });
  });

  verifies('SEC-SCHEMA-01', 'fails its own call', async () => {
    const manager = await hub([server('bad', HOSTILE)], { limits: { argumentCheckMs: 200 } });
    for (const [tool, args] of Object.entries(arguments_)) {
      await expect(manager.executeTool(tool, args), tool).rejects.toMatchObject({
        kind: 'invalid-arguments',
        message: expect.stringContaining('takes too long'),
      });
    }
  });

  verifies('SEC-SCHEMA-01', 'has no patterns of formats, wherever a schema hides a format', async () => {
    const manager = await hub([server('bad', HOSTILE)]);
    expect(textOf(await manager.executeTool('format', { x: 'no URL' }))).toBe('called format');
    expect(textOf(await manager.executeTool('dependency', { default: 1, x: 'no URL' }))).toBe('called dependency');
  });

  verifies('SEC-SCHEMA-01', 'obeys the deadline of the call, its cancellation, and the end of the hub', async () => {
    const manager = await hub([server('bad', HOSTILE)], { limits: { argumentCheckMs: 100_000 } });
    const call = (options: object) => manager.executeTool('pattern', { x: EVIL }, options);
    await expect(call({ timeout: 0.3 })).rejects.toMatchObject({ kind: 'timeout' });
    await expect(call({ signal: AbortSignal.timeout(300) })).rejects.toMatchObject({ kind: 'cancelled' });
    const pending = expect(call({})).rejects.toMatchObject({ kind: 'not-connected' });
    await manager.close();
    await pending;
  });

  verifies(['SEC-SCHEMA-01', 'HUB-CALL-01'], 'is checked as before with arguments that cost little', async () => {
    const manager = await hub([server('bad', HOSTILE)]);
    expect(textOf(await manager.executeTool('pattern', { x: 'aaa' }))).toBe('called pattern');
    await expect(manager.executeTool('pattern', { x: 'aab' })).rejects.toMatchObject({
      problems: [{ path: 'x', message: 'String does not match pattern' }],
    });
  });

  verifies('SEC-SCHEMA-01', 'is not assumed while the thread of the check starts', async () => {
    const limitMs = 1_000;
    const thread = new ServerThread();
    onTestFinished(() => thread.close(new HubError('not-connected', 'closed')));
    const task = { kind: 'check', schema: object({ x: { type: 'string' } }), args: { x: 'a' } } as const;
    const checked = thread.run(task, limitMs, new AbortController().signal);
    await Promise.resolve();
    // A busy machine: this thread learns only after the limit that the other one has started.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, limitMs + 200);
    expect(await checked).toEqual([]);
  });
});

describe('The error for wrong arguments', () => {
  const choices = Array(1_000).fill({ $ref: '#/$defs/a' });
  const WRITTEN = tools(
    // Followed to the fourth level, these are 10^12 references.
    { name: 'choices', inputSchema: object({ x: { $ref: '#/$defs/a' } }, NEEDS_TOKEN({ a: { anyOf: choices } })) },
    { name: 'loop', inputSchema: object({ x: { $ref: '#/properties/x/$ref/y' } }, NEEDS_TOKEN({})) },
    { name: 'values', inputSchema: object({ x: { enum: ['x'.repeat(30_000), 'y'] } }) },
    { name: 'names', inputSchema: object({ ['n'.repeat(30_000)]: { type: 'string' } }, NEEDS_TOKEN({})) },
  );

  verifies(['SEC-SCHEMA-02', 'HUB-CALL-01'], 'names the problem, whatever the schema refers to', async () => {
    const manager = await hub([server('bad', WRITTEN)]);
    for (const tool of ['choices', 'loop', 'names']) {
      await expect(manager.executeTool(tool, {})).rejects.toMatchObject({
        kind: 'invalid-arguments',
        problems: [{ path: 'token', message: 'is required' }],
      });
    }
  });

  verifies('SEC-SCHEMA-02', 'is short, however long the texts of the schema are', async () => {
    const manager = await hub([server('bad', WRITTEN)]);
    for (const [tool, args] of Object.entries({ names: {}, values: { x: 'z' } })) {
      const error = await manager.executeTool(tool, args).catch((reason: Error) => reason);
      expect((error as Error).message).toContain('invalid arguments');
      expect((error as Error).message.length).toBeLessThan(25_000);
    }
  });

  verifies('SEC-SCHEMA-02', 'is made once of a rule that the schema repeats', () => {
    const a = { enum: Array.from({ length: 9_600 }, (_, n) => -(1 + n / 9_600) * 1e-300) };
    const find = problemFinder(object({ a }, { required: Array(10_000).fill('a') }));
    const started = process.cpuUsage();
    expect(find({})).toMatchObject([{ path: 'a', message: expect.stringMatching(/^is required/) }]);
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1e6, 'seconds of CPU time; a description for each took 14').toBeLessThan(2);
  });
});
