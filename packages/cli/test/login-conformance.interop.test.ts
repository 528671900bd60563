import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifies } from '@a2c/requirements';
import { expect, inject } from 'vitest';
import { COMMAND } from './a2c.js';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const SUITE = join(inject('commands'), 'conformance.js');

function run(...args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    // The exit code is 1 if a check failed; the output shows it.
    execFile(process.execPath, [SUITE, ...args], { maxBuffer: 1 << 26 }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

verifies(
  'LOGIN-CMD-03',
  'all client scenarios auth/* pass',
  async () => {
    const listed = await run('list');
    const scenarios = [...new Set([...listed.matchAll(/^ +- (auth\/[\w-]+) /gm)].map(([, name = '']) => name))];
    expect(scenarios).toHaveLength(33);
    const failed: string[] = [];
    const command = `${process.execPath} ${path('conformance-client.mjs')} ${COMMAND}`;
    const check = async (scenario: string) => {
      const output = await run('client', '--command', command, '--scenario', scenario, '--timeout', '120000');
      if (!/Passed: (\d+)\/\1, 0 failed, 0 warnings/.test(output)) failed.push(`${scenario}\n${output}`);
    };
    // Each scenario often waits: two at a time.
    const waiting = scenarios.values();
    const inTurn = async () => {
      for (const scenario of waiting) await check(scenario);
    };
    await Promise.all([inTurn(), inTurn()]);
    expect(failed).toEqual([]);
  },
  { timeout: 1_800_000 },
);
