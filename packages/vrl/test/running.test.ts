import { verifies } from '@a2c/requirements';
import { compile, run, VrlInputError, VrlRuntimeError } from '@a2c/vrl';
import { describe, expect } from 'vitest';

describe('a program', () => {
  verifies('VRL-RUN-01', 'returns the changed event, the last value and the elapsed time', () => {
    const outcome = run('.b = .a\n.b + 1 ?? 0', { a: 41 });
    expect(outcome).toEqual({ processedEvent: { a: 41, b: 41 }, result: 42, elapsedMs: expect.any(Number) });
    expect(outcome.elapsedMs).toBeGreaterThan(0);
  });

  verifies('VRL-RUN-01', 'is compiled once and runs many times without state from previous runs', () => {
    const program = compile('.seen = exists(.count)\n.count = 1');
    for (let round = 0; round < 100; round++) {
      expect(program.run({ round }).processedEvent).toEqual({ round, seen: false, count: 1 });
    }
  });

  verifies('VRL-RUN-01', 'does not change the given event', () => {
    const event = { list: [1, 2], keep: { deep: true } };
    run('del(.keep)\n.list = push!(.list, 3)', event);
    expect(event).toEqual({ list: [1, 2], keep: { deep: true } });
  });

  verifies('VRL-RUN-01', 'may replace the whole event', () => {
    expect(run('. = ["new"]', { old: true }).processedEvent).toEqual(['new']);
  });
});

describe('a script without a result', () => {
  verifies('VRL-RUN-03', 'abort and error have different reasons', () => {
    expect(failureOf('abort "not today"')).toMatchObject({
      name: 'VrlRuntimeError',
      reason: 'abort',
      message: 'the VRL script aborted: not today',
    });
    expect(failureOf('abort')).toMatchObject({ reason: 'abort', message: 'the VRL script aborted: aborted' });
    expect(failureOf('.n = to_int!(.text)', { text: 'seven' })).toMatchObject({
      reason: 'error',
      message: expect.stringContaining('function call error for "to_int" at (5:19): Invalid integer "seven"'),
    });
    expect(failureOf('assert!(false, message: "no")')).toMatchObject({ message: expect.stringContaining('no') });
  });

  verifies('VRL-RUN-03', 'the program works on the next event', () => {
    const program = compile('.n = to_int!(.text)');
    expect(() => program.run({ text: 'seven' })).toThrow(VrlRuntimeError);
    expect(program.run({ text: '7' }).processedEvent).toEqual({ text: '7', n: 7 });
  });

  verifies('VRL-RUN-04', 'a script that exceeds its time limit is stopped, and the next one runs', () => {
    const nested = (depth: number): string =>
      depth === 0 ? 'sum = sum + 1' : `for_each(range!(0, 1000)) -> |_i${depth}, _v${depth}| { ${nested(depth - 1)} }`;
    const endless = compile(`sum = 0\n${nested(4)}\nsum`);
    expect(thrownBy(() => endless.run({}, { timeoutMs: 50 }))).toMatchObject({
      reason: 'timeout',
      message: 'the VRL script ran for more than 50 ms and was stopped; simplify it, or raise timeoutMs',
    });
    expect(run('1 + 1', {}).result).toBe(2);
  });

  verifies('VRL-RUN-05', 'an invalid event or option is named', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    expect(() => run('.', cyclic)).toThrow(/^the event cannot be written as JSON: TypeError: .*circular/);
    for (const event of [undefined, null, true, 7, 7n, 'text', [1], () => 1, new Date()]) {
      expect(() => run('.', event)).toThrow(/^the event must be an object, but it is /);
    }
    expect(() => run('.', {}, { timeoutMs: 0 })).toThrow('timeoutMs must be a number above 0, but it is 0');
    expect(thrownBy(() => run('.', undefined))).toBeInstanceOf(VrlInputError);
  });
});

function failureOf(source: string, event: unknown = {}): unknown {
  return thrownBy(() => run(source, event));
}

function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
