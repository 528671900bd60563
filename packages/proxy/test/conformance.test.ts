import { verifies } from '@a2c/requirements';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { conformanceServer, proxyInFrontOf, scoreOf, serverSuite, type Target } from './conformance-suite.js';

/** A suite has many scenarios, and each takes many times longer on a busy machine. */
const PATIENT = { timeout: 900_000 };

/** The server under test. It speaks all versions, and no scenario changes it for another one. */
let server: Target;
beforeAll(async () => {
  server = await conformanceServer('both');
});
afterAll(() => server[Symbol.asyncDispose]());

/** The versions of MCP and the number of their scenarios. */
const VERSIONS = { '2025-06-18': 27, '2025-11-25': 33, '2026-07-28': 40 };

describe('the official conformance suite, against the shipped program', () => {
  let proxy: Target;
  beforeAll(async () => {
    proxy = await proxyInFrontOf(server, '--pass-through');
  });
  afterAll(() => proxy[Symbol.asyncDispose]());

  for (const [version, count] of Object.entries(VERSIONS)) {
    const title = `has the score of the server behind it in every scenario of ${version}`;
    const body = async () => {
      const results = await serverSuite(proxy.url, version);
      expect(Object.keys(results)).toHaveLength(count);
      expect(results).toEqual(scoreOf(version));
    };
    verifies('BRIDGE-CONFORM-01', title, body, PATIENT);
  }
});

const ANY_SERVER: Record<string, readonly string[]> = {
  '2025-11-25': ['server-initialize', 'server-session-lifecycle', 'ping', 'tools-list', 'dns-rebinding-protection'],
  '2026-07-28': [
    'tools-list',
    'http-header-validation',
    'dns-rebinding-protection',
    'input-required-result-unsupported-methods',
  ],
};

const anyServer = async () => {
  await using target = await proxyInFrontOf(server);
  for (const [version, scenarios] of Object.entries(ANY_SERVER)) {
    const passed = scenarios.map((scenario) => [scenario, expect.stringMatching(/^[1-9]\d* passed, 0 failed$/)]);
    expect(await serverSuite(target.url, version, scenarios), version).toEqual(Object.fromEntries(passed));
  }
};
verifies('MCPX-CONFORM-01', 'with two tools, passes the scenarios that apply to any server', anyServer, PATIENT);
