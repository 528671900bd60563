import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { executionOf } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { boot, folder, server, textOf } from './harness.js';

async function bank(env: object, file = 'begun.mjs') {
  const script = fileURLToPath(new URL(`../../hub/test/servers/${file}`, import.meta.url));
  const RAN = join(folder(), 'ran');
  const server_parameters = { command: process.execPath, args: [script], env: { RAN, ...env } };
  const computer = await boot({ mcpServers: [server('bank', { server_parameters })] });
  const call = (tool: string) => computer.executeTool(`r-${tool}`, tool, {}, { agent: 'a', office: 'o' });
  return { call, ran: () => readFileSync(RAN, 'utf8') };
}

verifies('SEC-ONCE-08', 'a task whose server ends may have run, and does not run again', async () => {
  const { call, ran } = await bank({ ENDS: '1' });
  const first = await call('pay');
  expect(executionOf(first)).toBe('unknown');
  expect(textOf(first)).toMatch(/the call has begun and may have run: check before you call it again$/);
  expect(await call('pay')).toEqual(first);
  expect(ran()).toBe('pay\n');
});

verifies(['SEC-ONCE-08', 'SEC-RESULT-02'], 'a tool that requires input which is not MCP may have run', async () => {
  const { call, ran } = await bank({});
  expect(executionOf(await call('odd'))).toBe('unknown');
  expect(ran()).toBe('odd\n');
});

verifies('SEC-RESULT-02', 'a call that ran does not look refused because its answer is a task', async () => {
  const { call, ran } = await bank({}, 'forged-tasks.mjs');
  for (const tool of ['beside', 'required']) {
    const result = await call(tool);
    expect([executionOf(result), textOf(result), result.isError]).toEqual(['ran', 'paid', undefined]);
    expect(result._meta).toMatchObject({ 'their/own': true });
    expect(result._meta).not.toHaveProperty('a2c_error');
  }
  const alone = await call('alone');
  expect(executionOf(alone)).toBe('unknown');
  expect(textOf(alone)).toContain('answered the call of "alone" with a task that the caller has not asked for');
  expect(await call('alone')).toEqual(alone);
  expect(ran()).toBe('beside\nrequired\nalone\n');
});
