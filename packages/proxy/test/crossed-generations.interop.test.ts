import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { conformanceServer, SCORES, scoreOf, serverScenario, serverSuite, shippedProxy } from './conformance-suite.js';

const CROSSED = [
  { server: '2025', versions: ['2026-07-28'] },
  { server: '2026', versions: ['2025-06-18', '2025-11-25'] },
] as const;

for (const { server, versions } of CROSSED) {
  verifies(
    'BRIDGE-CONFORM-02',
    `clients of ${versions.join(' and ')} use a server of ${server} only, twice`,
    async () => {
      await using proxy = await shippedProxy(server, '--pass-through');
      for (const version of versions) {
        expect(await serverSuite(proxy.url, version)).toEqual(scoreOf(version));
        expect(await serverSuite(proxy.url, version)).toEqual(scoreOf(version));
      }
    },
    { timeout: 600_000 },
  );
}

verifies(
  'BRIDGE-CONFORM-01',
  'the scores to reach are those of the server alone',
  async () => {
    await using alone = await conformanceServer('both');
    for (const version of Object.keys(SCORES)) {
      const results: Record<string, string> = { ...(await serverSuite(alone.url, version)) };
      // The suite contains fixed waits, so that a scenario may fail on a busy machine: it is repeated, for this server.
      for (const [scenario, score] of Object.entries(scoreOf(version))) {
        if (results[scenario] !== score) results[scenario] = await serverScenario(alone.url, scenario, version);
      }
      expect(results).toEqual(scoreOf(version));
    }
  },
  { timeout: 600_000 },
);
