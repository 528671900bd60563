import { Worker } from 'node:worker_threads';
import { verifies } from '@a2c/requirements';
import { compile, run } from '@a2c/vrl';
import { describe, expect } from 'vitest';

const ENTRY = new URL('../dist/index.js', import.meta.url).href;

describe('concurrent programs', () => {
  verifies('VRL-CONC-01', 'interleaved calls do not mix their values', async () => {
    const programs = Array.from({ length: 20 }, (_, index) => compile(`.by = ${index}\n.out = int!(.in) * ${index}`));
    const runs = Array.from({ length: 1_000 }, async (_, turn) => {
      const index = turn % programs.length;
      await Promise.resolve();
      if (turn % 97 === 0) expect(() => run('abort', {})).toThrow();
      return programs[index]?.run({ in: turn }).processedEvent;
    });
    expect(await Promise.all(runs)).toEqual(
      Array.from({ length: 1_000 }, (_, turn) => ({ in: turn, by: turn % 20, out: turn * (turn % 20) })),
    );
  });

  verifies('VRL-CONC-01', 'each thread has its own engine', async () => {
    const body = `
      const { parentPort, workerData } = require('node:worker_threads');
      import('${ENTRY}').then(({ compile, run }) => {
        const program = compile('.sum = int!(.a) + 1');
        if (workerData % 2 === 0) try { run('"x" * 9223372036854775807', {}); } catch {}
        let last;
        for (let i = 0; i < 500; i++) last = program.run({ a: workerData + i }).processedEvent;
        parentPort.postMessage(last);
      });`;
    const answers = await Promise.all(
      [10, 21, 32].map((workerData) => answerOf(new Worker(body, { eval: true, workerData }))),
    );
    expect(answers).toEqual([10, 21, 32].map((start) => ({ a: start + 499, sum: start + 500 })));
  });
});

async function answerOf(worker: Worker): Promise<unknown> {
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  } finally {
    await worker.terminate();
  }
}
