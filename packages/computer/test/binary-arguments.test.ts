import { containsBinary, isDeeperThan, jsonSize } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { agentIn, ask, boot, joined, serve } from './harness.js';

verifies('COST-MEMBER-05', 'binary arguments are refused, and the Computer stays in its office', async () => {
  const { url } = await serve();
  await joined(await boot({ mcpServers: [] }), url);
  const agent = await agentIn(url, 'o', 'a');
  const call = { agent: 'a', computer: 'pc', tool_name: 'any', timeout: 60, req_id: 'binary' };
  const params = { parts: [{ bytes: Buffer.alloc(12 * 2 ** 20, 200) }] };
  const [refusal] = await ask(agent, 'client:tool_call', { ...call, params });
  expect(refusal).toMatchObject({ code: 400, message: expect.stringContaining('binary data is not JSON') });
});

verifies('COST-MEMBER-05', 'binary data is found, and its bytes are no members or levels of nesting', () => {
  expect(isDeeperThan({ a: [new Uint8Array(2)] }, 2)).toBe(false);
  expect(jsonSize({ a: [new Uint8Array(2 ** 24)] })).toBe(2 ** 24 + 4);
  expect([containsBinary({ a: [new Uint8Array(2 ** 24)] }), containsBinary({ a: [{ b: 'text' }] })]).toEqual([
    true,
    false,
  ]);
});
