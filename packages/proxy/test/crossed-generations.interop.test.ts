import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { conformanceServer, referenceResults, serverSuite, shippedProxy } from './conformance-suite.js';

const CROSSED = [
  { server: '2025', versions: ['2026-07-28'] },
  { server: '2026', versions: ['2025-06-18', '2025-11-25'] },
] as const;

for (const { server, versions } of CROSSED) {
  verifies(
    'BRIDGE-CONFORM-02',
    `clients of ${versions.join(' and ')} use a server of ${server} only, twice`,
    async () => {
      await using alone = await conformanceServer('both');
      await using proxy = await shippedProxy(server, '--pass-through');
      for (const version of versions) {
        const [expected, first] = await Promise.all([
          referenceResults(alone.url, version),
          serverSuite(proxy.url, version),
        ]);
        expect(first).toEqual(expected);
        expect(await serverSuite(proxy.url, version)).toEqual(expected);
      }
    },
    { timeout: 600_000 },
  );
}
