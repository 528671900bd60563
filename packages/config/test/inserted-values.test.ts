import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { insertedValues } from '../src/index.js';
import { readOne } from './reading.js';

const server = (entry: object) => readOne({ mcpServers: { s: entry } });

verifies('SEC-MASK-02', 'values that placeholders insert into longer texts are found', () => {
  const raw = server({
    command: 'x',
    args: ['endpoint:${KEY}', '${A}-${B}', '--port=${PORT}', '${MCP_ROOT}/x', 'plain', '${ALONE}'],
    env: { TEXT: 'prefix ${KEY} suffix' },
  });
  const resolved = server({
    command: 'x',
    args: ['endpoint:orange-hunter', 'first-second', '--port=8080', '/srv/x', 'plain', 'whole value'],
    env: { TEXT: 'prefix orange-hunter suffix' },
  });
  expect(insertedValues(raw, resolved).toSorted()).toEqual([
    'first',
    'orange-hunter',
    'orange-hunter',
    'second',
    'whole value',
  ]);
});

verifies('SEC-MASK-02', 'the host of an address is no secret, its other parts are', () => {
  const raw = server({ url: 'https://${HOST}:8080/${KEY}/mcp?t=${TOKEN}', headers: { 'x-key': 'Key ${KEY}' } });
  const resolved = server({ url: 'https://e.example:8080/k-123/mcp?t=tok-456', headers: { 'x-key': 'Key k-123' } });
  expect(new Set(insertedValues(raw, resolved))).toEqual(new Set(['k-123', 'tok-456']));
});
