import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { conformanceFixture } from './conformance-fixture.js';
import { serving } from './doors.js';
import { proxyOver } from './hub-over.js';

const shim = fileURLToPath(new URL('conformance-shim.mjs', import.meta.url));
const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json');
const suite = join(dirname(manifest), 'dist/index.js');

/** The number of failed checks per scenario. */
async function conformance(url: URL, ...args: string[]): Promise<Record<string, number>> {
  const command = ['--import', shim, suite, 'server', '--url', url.href, ...args];
  const output = await new Promise<string>((resolve) => {
    // The exit code is 1 if a check failed; the summary lists them.
    execFile(process.execPath, command, { maxBuffer: 1 << 26 }, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
  const summary = [...output.matchAll(/^[✓✗] ([\w-]+): \d+ passed, (\d+) failed$/gm)];
  if (summary.length === 0) throw new Error(`the suite did not run: ${output}`);
  return Object.fromEntries(summary.map(([, scenario, failed]) => [scenario, Number(failed)]));
}

const failing = (results: Record<string, number>) => Object.entries(results).filter(([, failed]) => failed > 0);

/** The proxy over a server of the given generation. */
async function target(version: string, passThrough: boolean): Promise<URL> {
  return serving(await proxyOver(conformanceFixture(version === '2026-07-28')), { passThrough });
}

describe('the official conformance suite', () => {
  const everyScenario = (version: string, expectedFailures: readonly (readonly [string, number])[], count: number) =>
    verifies('MCPX-CONFORM-01', `passes every scenario of ${version} in pass-through mode`, async () => {
      const results = await conformance(await target(version, true), '--suite', 'all', '--spec-version', version);
      expect(Object.keys(results).length).toBeGreaterThanOrEqual(count);
      expect(failing(results)).toEqual(expectedFailures);
    });

  everyScenario('2025-11-25', [], 33);
  everyScenario('2026-07-28', [], 40);

  const protocolOnly: Record<string, readonly string[]> = {
    '2025-11-25': ['server-initialize', 'server-session-lifecycle', 'ping', 'tools-list', 'dns-rebinding-protection'],
    '2026-07-28': [
      'tools-list',
      'http-header-validation',
      'dns-rebinding-protection',
      'input-required-result-unsupported-methods',
    ],
  };
  for (const [version, scenarios] of Object.entries(protocolOnly)) {
    verifies(
      'MCPX-CONFORM-01',
      `passes the scenarios of ${version} that apply to any server, with two tools`,
      async () => {
        const results = await conformance(await target(version, false), '--suite', 'all', '--spec-version', version);
        const relevant = Object.fromEntries(scenarios.map((scenario) => [scenario, results[scenario]]));
        expect(relevant).toEqual(Object.fromEntries(scenarios.map((scenario) => [scenario, 0])));
      },
    );
  }
});
