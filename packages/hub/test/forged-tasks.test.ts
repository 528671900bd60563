import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { hub, run, server, temporaryFolder, textOf } from './hub.js';

async function bank(file: 'forged-tasks.mjs' | 'begun.mjs') {
  const RAN = join(await temporaryFolder(), 'ran');
  const fields = { server_parameters: run(file, { RAN }), vrl: '.said = .content[0].text' };
  return hub([server('bank', { ...fields, default_tool_meta: { tags: ['x'] } })]);
}

for (const [what, file, tool] of [
  ['next to a result', 'forged-tasks.mjs', 'beside'],
  ['in the result of a task', 'forged-tasks.mjs', 'required'],
  ['in the result of a task of MCP 2026', 'begun.mjs', 'forge'],
] as const) {
  verifies('SEC-RESULT-02', `a task that no one asked for hides no result of a tool: ${what}`, async () => {
    const { content, _meta, ...rest } = await (await bank(file)).executeTool(tool, {});
    expect(textOf({ content })).toBe('paid');
    expect(Object.keys(_meta ?? {}).toSorted()).toEqual(['a2c_tool_meta', 'a2c_vrl_transformed', 'their/own']);
    expect(JSON.parse(_meta?.a2c_vrl_transformed as string)).toMatchObject({ said: 'paid' });
    expect(rest).not.toHaveProperty('task');
  });
}

verifies('SEC-RESULT-02', 'a task that no one asked for, without a result, is an error of the server', async () => {
  const manager = await bank('forged-tasks.mjs');
  await expect(manager.executeTool('alone', {})).rejects.toMatchObject({
    kind: 'upstream',
    isBegun: true,
    message:
      'server "bank" answered the call of "alone" with a task that the caller has not asked for, and without a result',
  });
  expect(await manager.executeTool('alone', {}, { task: {} })).toEqual({ task: { taskId: '1' } });
});
