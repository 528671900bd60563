import { MCP_VERSIONS } from '@a2c/hub';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';

verifies('NEW-CLI-03', 'both generations of MCP are supported, newest first', () => {
  expect(MCP_VERSIONS.slice(0, 2)).toEqual(['2026-07-28', '2025-11-25']);
  expect(MCP_VERSIONS).toEqual([...MCP_VERSIONS].toSorted().toReversed());
});
