import { fileURLToPath } from 'node:url';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { clientScenario } from './conformance-suite.js';

const COMMAND = `"${process.execPath}" "${fileURLToPath(new URL('conformance-client.mjs', import.meta.url))}"`;

const SCENARIOS = {
  '2025-06-18': ['initialize', 'tools_call'],
  '2025-11-25': [
    'initialize',
    'tools_call',
    'elicitation-sep1034-client-defaults',
    'sse-retry',
    'json-schema-2020-12-preservation',
  ],
  '2026-07-28': [
    'tools_call',
    'request-metadata',
    'sep-2322-client-request-state',
    'http-standard-headers',
    'http-custom-headers',
    'http-invalid-tool-headers',
    'json-schema-ref-no-deref',
    'json-schema-2020-12-preservation',
  ],
};

for (const [version, scenarios] of Object.entries(SCENARIOS)) {
  for (const scenario of scenarios) {
    verifies('BRIDGE-CONFORM-03', `as a client of ${version}, passes ${scenario}`, async () => {
      expect(await clientScenario(COMMAND, scenario, version)).toMatch(/^[1-9]\d* passed, 0 failed$/);
    });
  }
}
