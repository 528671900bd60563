import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { conformanceServer, serverSuite, shippedProxy } from './conformance-suite.js';

/**
 * The key of a question is the server's own since MCP 2026. A server of 2025 sends its question without one, so the
 * proxy has to choose it, and these scenarios compare it with the key of the fixture.
 */
const COMPARE_KEYS = ['input-required-result-basic-elicitation', 'input-required-result-ignore-extra-params'];

/**
 * Two of its thirty checks expect the error of 2026 for a client without a capability. A server of 2025 has one
 * connection for such clients, which declares all capabilities, so it asks its question instead.
 */
const CAPABILITY_ERRORS = ['server-stateless'];

const CROSSED = [
  { server: '2025', versions: ['2026-07-28'], except: [...COMPARE_KEYS, ...CAPABILITY_ERRORS] },
  { server: '2026', versions: ['2025-06-18', '2025-11-25'], except: [] },
] as const;

for (const { server, versions, except } of CROSSED) {
  verifies(
    'BRIDGE-CONFORM-02',
    `clients of ${versions.join(' and ')} use a server of ${server} only, twice`,
    async () => {
      await using alone = await conformanceServer('both');
      await using proxy = await shippedProxy(server, '--pass-through');
      for (const version of versions) {
        const expected = Object.entries(await serverSuite(alone.url, version));
        for (const _round of [1, 2]) {
          const results = Object.entries(await serverSuite(proxy.url, version));
          const compared = ([scenario]: readonly [string, string]) => !except.some((name) => name === scenario);
          expect(results.filter(compared)).toEqual(expected.filter(compared));
        }
      }
    },
  );
}
