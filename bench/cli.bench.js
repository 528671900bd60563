// Measures the start of `a2c --version` and `a2c --help`, compared with an empty Node program.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median, quick, spread, table } from './table.js';

const BINARY = fileURLToPath(new URL('../packages/cli/bin/a2c.js', import.meta.url));
const ROUNDS = quick(10, 40);
const CASES = {
  'node -e 0': { args: ['-e', '0'] },
  'a2c --version': { args: [BINARY, '--version'], goal: 1.2 },
  'a2c --help': { args: [BINARY, '--help'], goal: 1.4 },
};

export default function bench() {
  const times = Object.fromEntries(Object.keys(CASES).map((name) => [name, []]));
  // Interleaved, so that other load on the machine affects all cases equally.
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, { args }] of Object.entries(CASES)) {
      const start = process.hrtime.bigint();
      spawnSync(process.execPath, args, { stdio: 'ignore' });
      times[name].push(Number(process.hrtime.bigint() - start) / 1e6);
    }
  }
  const ratios = (name) => times[name].map((time, round) => time / times['node -e 0'][round]);
  table(
    Object.entries(CASES).map(([name, { goal }]) => ({
      command: `\`${name}\``,
      'median ms': median(times[name]).toFixed(0),
      ratio: median(ratios(name)).toFixed(2),
      'from, to': spread(ratios(name)),
      goal: goal === undefined ? '' : `≤ ${goal}`,
    })),
  );
}
