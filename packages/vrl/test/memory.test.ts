import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { verifies } from '@a2c/requirements';
import type { VrlObject } from '@a2c/vrl';
import { describe, expect, vi } from 'vitest';

// An engine that no other test has used.
vi.resetModules();
const { checkSyntax, compile, run } = await import('@a2c/vrl');
const { engineMemoryBytes } = await import('../src/engine.js');

const MEBIBYTE = 1024 * 1024;

describe('memory', () => {
  verifies('VRL-MEMORY-01', 'does not grow with the number of runs', () => {
    const program = compile('.text = upcase!(.content[0].text)\n.at = now()\n.copy = .content');
    const event = { content: [{ type: 'text', text: 'x'.repeat(2_000) }] };
    for (let warmUp = 0; warmUp < 200; warmUp++) program.run(event);
    const before = engineMemoryBytes();
    for (let times = 0; times < 1_000; times++) program.run(event);
    expect(engineMemoryBytes()).toBe(before);
  });

  verifies('VRL-MEMORY-01', 'does not grow with checks and single runs, valid and invalid', () => {
    const round = (index: number) => {
      checkSyntax(`.a${index % 7} = parse_regex!(.b, r'^(?P<x>[a-z]+)$')`);
      checkSyntax('.a = parse_json(.b)');
      run(`.a = ${index}`, {});
    };
    for (let warmUp = 0; warmUp < 50; warmUp++) round(warmUp);
    const before = engineMemoryBytes();
    for (let times = 0; times < 250; times++) round(times);
    expect(engineMemoryBytes()).toBe(before);
  });

  verifies('VRL-MEMORY-01', 'of garbage-collected programs is reused', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    let alive = 0;
    // Registered after the registry of the product, which has then been called for the same program.
    const finalized = new FinalizationRegistry<undefined>(() => alive--);
    const compileSome = () =>
      Array.from({ length: 200 }, (_, index) => compile(`.a = parse_regex!(.b, r'^(?P<x>[a-z]{${index % 9},20})+$')`));
    const abandonSome = async () => {
      for (const program of compileSome()) finalized.register(program, undefined);
      alive += 200;
      const finalizersRan = () => {
        collect();
        // The JavaScript engine may keep the last few that it looked at.
        return alive < 20;
      };
      await vi.waitUntil(finalizersRan, { timeout: 60_000, interval: 1 });
    };
    for (let warmUp = 0; warmUp < 2; warmUp++) await abandonSome();
    const before = engineMemoryBytes();
    for (let times = 0; times < 5; times++) await abandonSome();
    const abandoned = engineMemoryBytes() - before;
    const kept = Array.from({ length: 5 }, compileSome);
    expect(kept).toHaveLength(5);
    // Without reuse it would be half.
    expect(abandoned).toBeLessThan((engineMemoryBytes() - before) / 4);
  });

  verifies('VRL-MEMORY-02', 'a result of 5 MB works, and the memory of a very large one is freed', () => {
    const program = compile('.parts = length!(.content)\n.last = .content[-1].text');
    const content = Array.from({ length: 5_000 }, (_, index) => ({
      type: 'text',
      text: `${index}`.padEnd(1_000, '.'),
    }));
    const { parts, last, content: returned } = program.run({ content }).processedEvent as VrlObject;
    expect(parts).toBe(5_000);
    expect(last).toBe('4999'.padEnd(1_000, '.'));
    expect(returned).toEqual(content);
    run('.copies = [.text, upcase!(.text), .text, .text]', { text: 'y'.repeat(8 * MEBIBYTE) });
    expect(engineMemoryBytes()).toBe(0);
    expect(program.run({ content: [{ text: 'small' }] }).processedEvent).toMatchObject({ parts: 1, last: 'small' });
    expect(engineMemoryBytes()).toBeLessThan(32 * MEBIBYTE);
  });
});
