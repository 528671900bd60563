import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { beforeAll, expect, inject } from 'vitest';
import { clientScenario } from './conformance-suite.js';
import { lane } from './lane.js';

const COMMAND = `"${process.execPath}" "${join(inject('commands'), 'conformance-client.js')}"`;

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

/** Each scenario takes seconds, most of them waiting. */
const lanes = [lane(), lane(), lane()];
const all = Object.entries(SCENARIOS).flatMap(([version, scenarios]) =>
  scenarios.map((scenario) => ({ version, scenario })),
);
let outcomes: readonly Promise<string>[];

beforeAll(async () => {
  outcomes = all.map(({ version, scenario }, index) =>
    (lanes[index % lanes.length] as (typeof lanes)[number])(() => clientScenario(COMMAND, scenario, version)),
  );
  // A failure is reported by the test of its scenario.
  await Promise.allSettled(outcomes);
}, 600_000);

for (const [index, { version, scenario }] of all.entries()) {
  verifies('BRIDGE-CONFORM-03', `as a client of ${version}, passes ${scenario}`, async () => {
    expect(await outcomes[index]).toMatch(/^[1-9]\d* passed, 0 failed$/);
  });
}
