import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { describe, expect, onTestFinished } from 'vitest';
import { CANARIES, childrenWithCanary, filesWithCanary } from '../chaos/fuzz/canaries.js';
import { mutate, mutateBytes } from '../chaos/fuzz/mutate.js';
import { Oracle, type Shot } from '../chaos/fuzz/oracle.js';
import { WatchedProcess } from '../chaos/fuzz/watched-process.js';
import { Random } from '../chaos/random.js';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-fuzz-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function run(script: string, env: NodeJS.ProcessEnv = {}): WatchedProcess {
  const watched = new WatchedProcess({ args: ['--eval', script], env, log: join(newFolder(), 'log') });
  onTestFinished(() => watched.end());
  return watched;
}

describe('mutated messages', () => {
  const MESSAGE = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"b"}}';
  const some = (seed: number) => {
    const random = new Random(seed);
    return Array.from({ length: 500 }, () => mutate(MESSAGE, random, [MESSAGE]));
  };

  verifies('REL-FUZZ-01', 'are the same for a seed, and change bytes and structures', () => {
    expect(some(7)).toEqual(some(7));
    expect(some(8)).not.toEqual(some(7));
    const isJson = (text: string) => {
      try {
        return typeof JSON.parse(text) === 'object';
      } catch {
        return false;
      }
    };
    const changed = some(7).filter((text) => text !== MESSAGE);
    expect(changed.length).toBeGreaterThan(480);
    expect(changed.filter(isJson).length).toBeGreaterThan(50);
    expect(changed.filter((text) => !isJson(text)).length).toBeGreaterThan(50);
    const bytes = Buffer.from(MESSAGE);
    expect(mutateBytes(bytes, new Random(1))).toEqual(mutateBytes(bytes, new Random(1)));
    expect(mutateBytes(bytes, new Random(1))).not.toEqual(bytes);
  });
});

describe.runIf(process.platform === 'linux')('a process under attack', () => {
  /** Answers `ping`. `burn` takes half a second of processor time, `die` ends it, `rude` makes it refuse. */
  const SCRIPT = `
    let answer = 'pong';
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      if (line === 'die') process.exit(3);
      if (line === 'rude') answer = 'refused';
      const { user } = process.cpuUsage();
      if (line === 'burn') while (process.cpuUsage().user < user + 500_000) for (let i = 0; i < 1e6; i++);
      if (line === 'ping') console.log(answer);
    });
    console.log('ready');`;

  async function attackWith(text: string): Promise<readonly string[]> {
    const watched = run(SCRIPT);
    await watched.printed(/ready/);
    const write = (line: string) => void watched.child.stdin?.write(`${line}\n`);
    const oracle = new Oracle(watched, async () => {
      const ended = new Promise((_, reject) => watched.child.once('exit', () => reject(new Error('ended'))));
      const answered = watched.printed(/pong|refused/).then(([answer]) => {
        if (answer === 'refused') throw new Error(answer);
      });
      write('ping');
      await Promise.race([answered, ended]);
    });
    // On a busy machine, the limit is several times higher.
    const shot: Shot = { text, limitMs: 20, fire: async () => write(text) };
    await oracle.attack([shot]);
    return oracle.failures;
  }

  verifies('REL-FUZZ-02', 'that handles the messages breaks no rule', async () => {
    expect(await attackWith('harmless')).toEqual([]);
  });

  for (const [text, found] of [
    ['burn', /^\d+ ms of CPU for "burn"/],
    ['die', /ended with 3/],
    ['rude', /honest peer was not served/],
  ] as const) {
    verifies('REL-FUZZ-02', `is found: ${found}`, async () => {
      expect(await attackWith(text)).toEqual([expect.stringMatching(found)]);
    });
  }
});

describe.runIf(process.platform === 'linux')('a secret', () => {
  verifies('REL-FUZZ-03', 'in a file is found, except where it was put', () => {
    const folder = newFolder();
    for (const name of ['known.json', 'log.txt']) writeFileSync(join(folder, name), `x ${CANARIES.apiKey} y`);
    expect(filesWithCanary(folder, new Set(['known.json']))).toEqual(['a secret is in the file log.txt']);
  });

  verifies('REL-FUZZ-03', 'in the arguments or the environment of a started process is found', async () => {
    // It ends with the process that started it.
    const sleep = "process.stdin.resume().on('end', () => process.exit()); console.log('up')";
    const start = (args: readonly string[], env: object) =>
      `require('node:child_process').spawn(process.execPath, ${JSON.stringify(['--eval', sleep, '--', ...args])}, { env: ${JSON.stringify(env)}, stdio: ['pipe', 'inherit', 'inherit'] });`;
    const leaking = run(start([CANARIES.server], {}) + start([], { KEY: CANARIES.input }));
    await leaking.printed(/up\s+up/);
    expect(childrenWithCanary(leaking).toSorted()).toEqual([
      expect.stringMatching(/^a secret is in the arguments/),
      expect.stringMatching(/^a secret is in the environment/),
    ]);
    const careful = run(start(['x'], { OWN: CANARIES.server }));
    await careful.printed(/up/);
    expect(childrenWithCanary(careful)).toEqual([]);
  });
});
