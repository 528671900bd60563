import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { expect, inject } from 'vitest';
import { proxyInFrontOf, serverScenario, started } from './conformance-suite.js';

const SCENARIOS = {
  'tasks-lifecycle': 9,
  'tasks-capability-negotiation': 5,
  'tasks-wire-fields': 4,
  'tasks-request-state-removal': 3,
  'tasks-mrtr-input': 4,
  'tasks-request-headers': 5,
  'tasks-dispatch-and-envelope': 9,
  'tasks-required-task-error': 3,
  'tasks-mrtr-composition': 2,
};

verifies(
  'BRIDGE-TASK-03',
  'the scenarios of the extension for tasks pass against the shipped program as against the server behind it',
  async () => {
    const program = join(inject('commands'), 'tasks-server.js');
    await using server = await started([program], {}, /^(http.*)$/);
    await using proxy = await proxyInFrontOf(server, '--pass-through');
    for (const [scenario, count] of Object.entries(SCENARIOS)) {
      for (const { url } of [server, proxy]) {
        const checks = await serverScenario(url, scenario, '2026-07-28', '--force');
        expect([scenario, checks]).toEqual([scenario, `${count} passed, 0 failed`]);
      }
    }
  },
  { timeout: 600_000 },
);
