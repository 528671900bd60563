import { executionOf, GENERATIONS, parseAnswer } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { agentIn, boot, call, joined, oddities, serve, server } from './harness.js';

const FORMS = ['error', 'flat', 'busy', 'meta', '_meta', 'task', 'text'] as const;

verifies('SEC-RESULT-02', 'a tool that has run cannot return a refusal of the Computer', async () => {
  // Without settings of its own a tool has no metadata of the Computer.
  const plain = server('plain', { server_parameters: oddities(), default_tool_meta: null });
  const mcpServers = [server('odd', { server_parameters: oddities() }), plain];
  const [{ url }, computer] = await Promise.all([
    serve({ officePolicy: () => ({ agents: 'many' }) }),
    boot({ mcpServers, confirm: () => true }),
  ]);
  await joined(computer, url);
  for (const generation of ['spec', '0.1', '0.2', '0.4'] as const) {
    const query = { a2c_version: GENERATIONS[generation].version };
    const auth = generation === 'spec' ? { dialect: 'spec' } : {};
    const agent = await agentIn(url, 'o', `a-${generation}`, { query, auth });
    for (const tool of ['odd__denial', 'plain__denial'])
      for (const form of FORMS) {
        const result = parseAnswer('client:tool_call', [await call(agent, tool, { form })]);
        expect([generation, form, executionOf(result), result.isError]).toEqual([generation, form, 'ran', true]);
      }
  }
  expect(computer.history().map(({ success }) => success)).not.toContain(true);
});
