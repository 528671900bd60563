import { verifies } from '@a2c/requirements';
import { checkSyntax, compile, run, VrlPanicError } from '@a2c/vrl';
import { describe, expect } from 'vitest';

const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`) as unknown;

describe('when the engine fails', () => {
  const breakages: Readonly<Record<string, { readonly call: () => unknown; readonly message: RegExp }>> = {
    'a panic in VRL': {
      call: () => run('"x" * 9223372036854775807', {}),
      message: /^the VRL engine failed and was replaced: panic: capacity overflow$/,
    },
    'the end of its memory': {
      call: () => run('"x" * 2000000000', {}),
      message: /memory allocation of 2000000000 bytes failed/,
    },
    'a script nested beyond its stack': {
      call: () => checkSyntax(`.a = ${'('.repeat(20_000)}1${')'.repeat(20_000)}`),
      message: /out of stack; is the script or the event nested too deeply\?/,
    },
  };

  for (const [name, { call, message }] of Object.entries(breakages)) {
    verifies('VRL-PANIC-01', `${name} is a typed error, and the next call works`, () => {
      const program = compile('.n = int!(.n) + 1');
      expect(program.run({ n: 1 }).processedEvent).toEqual({ n: 2 });
      for (let time = 0; time < 2; time++) {
        expect(call).toThrow(VrlPanicError);
        expect(call).toThrow(message);
        expect(program.run({ n: time }).processedEvent).toEqual({ n: time + 1 });
        expect(checkSyntax('.a = 1')).toBeNull();
      }
    });
  }

  verifies('VRL-PANIC-01', 'the program that caused it runs again', () => {
    const program = compile('"x" * int!(.times)');
    expect(() => program.run({ times: 9223372036854775807n })).toThrow(VrlPanicError);
    expect(program.run({ times: 3 }).result).toBe('xxx');
    program.dispose();
    expect(program.run({ times: 2 }).result).toBe('xx');
  });

  verifies('VRL-PANIC-01', 'an event that is too deep is rejected or fails, without a crash', () => {
    for (const levels of [1_000, 5_000, 50_000]) {
      try {
        run('.a = 1', nested(levels));
      } catch (error) {
        expect((error as Error).name).toMatch(/^Vrl(Input|Panic)Error$/);
      }
      expect(run('1', {}).result).toBe(1);
    }
  });
});
