import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished, vi } from 'vitest';
import { Workplace } from './a2c.js';

const LOADER = fileURLToPath(new URL('../bin/compiled-code.js', import.meta.url));

/** A bundle of two files; the second has a name with a hash, as chunks have. */
function bundle() {
  const place = new Workplace();
  place.write('main.js', `exports.sum = require('./sum-0a1B2c3D.js').sum;\n`);
  place.write('sum-0a1B2c3D.js', `exports.sum = (a, b) => a + b;\n`);
  const run = (...flags: string[]) => {
    const code = `process.stdout.write(String(require(${JSON.stringify(LOADER)}).load(process.argv[1]).sum(1, 2)))`;
    const { stdout, stderr } = spawnSync(process.execPath, [...flags, '-e', code, place.path('main.js')], {
      encoding: 'utf8',
    });
    return stdout + stderr;
  };
  const kept = () => readdirSync(place.path('.')).filter((name) => name.endsWith('.compiled'));
  return { place, run, kept };
}

verifies('NEW-CLI-08', 'the first start keeps the compiled code, and the next one uses it', () => {
  const { place, run, kept } = bundle();
  expect(run()).toBe('3');
  expect(kept()).toEqual([`sum-0a1B2c3D.js.${process.version}-${process.arch}.compiled`]);
  const [file = ''] = kept();
  const { mtimeMs } = statSync(place.path(file));
  // V8 compares only the length of the source.
  place.write('sum-0a1B2c3D.js', `exports.sum = (a, b) => a - b;\n`);
  expect(run()).toBe('3');
  expect(statSync(place.path(file)).mtimeMs).toBe(mtimeMs);
});

verifies('NEW-CLI-08', 'a process that runs longer and calls more functions replaces the compiled code', () => {
  const { place, run, kept } = bundle();
  const more = Array.from({ length: 50 }, (_, n) => `if (a > ${n}) b += a * ${n};`).join(' ');
  place.write(
    'sum-0a1B2c3D.js',
    `exports.sum = (a, b) => (process.env.MORE ? more(a, b) : a + b);\nfunction more(a, b) { ${more} return b; }\n`,
  );
  const size = () => statSync(place.path(kept()[0] ?? '')).size;
  run();
  const small = size();
  vi.stubEnv('MORE', 'yes');
  onTestFinished(() => void vi.unstubAllEnvs());
  place.write('wait.cjs', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);');
  run('--require', place.path('wait.cjs'));
  expect(size()).toBeGreaterThan(small * 1.1);
});

verifies('NEW-CLI-08', 'code that V8 does not accept, and a file that cannot be written change nothing', () => {
  const { place, run, kept } = bundle();
  run();
  const [file = ''] = kept();
  expect(run('--no-opt', '--stack-size=900')).toBe('3');
  writeFileSync(place.path(file), 'no code');
  expect(run()).toBe('3');
  // Also for root, who may write to read-only folders.
  rmSync(place.path(file));
  mkdirSync(place.path(file));
  expect(run()).toBe('3');
  expect(readdirSync(place.path('.')).filter((name) => name.startsWith(file))).toEqual([file]);
});
