import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import type { Computer } from '../src/index.js';
import { ask, boot, call, inputs, oddities, office, server, textOf, workshop } from './harness.js';

const TOKEN = { id: 'TOKEN', type: 'promptString', description: 'the token', password: true };
const withToken = (name: string, more: object = {}) =>
  server(name, { server_parameters: workshop({ TOKEN: '${input:TOKEN}' }), ...more });

describe('secrets', () => {
  const changes: Record<string, (computer: Computer) => unknown> = {
    'was set': (computer) => computer.setInputValue('TOKEN', 'another-value'),
    'was removed': (computer) => computer.removeInputValue('TOKEN'),
    'was cleared': (computer) => computer.clearInputValues(),
    'lost its definition': (computer) => computer.removeInput('TOKEN'),
    'lost all definitions': (computer) => computer.replaceInputs([]),
    'was declared open': (computer) => computer.defineInputs(inputs({ ...TOKEN, password: false })),
  };
  for (const [how, change] of Object.entries(changes))
    verifies('COMP-HIST-02', `are removed also when the input ${how}: servers still have them`, async () => {
      const computer = await boot({
        inputs: inputs(TOKEN),
        mcpServers: [server('odd', { server_parameters: oddities({ TOKEN: '${input:TOKEN}' }) })],
        askInput: async () => 's3cret-token',
      });
      change(computer);
      const result = await computer.executeTool('1', 'leak', { q: 'my s3cret-token' });
      expect(textOf(result)).toContain('cannot log in with [redacted]');
      expect(JSON.stringify([result, computer.history(), computer.log])).not.toContain('s3cret-token');
    });

  verifies('SEC-ENV-02', 'are removed if they are literal values of `env`', async () => {
    const parameters = oddities({ TOKEN: 'literal-value-of-the-file' });
    const computer = await boot({ mcpServers: [server('odd', { server_parameters: parameters })] });
    const result = await computer.executeTool('1', 'leak', { q: 'is it literal-value-of-the-file?' });
    expect(textOf(result)).toContain('cannot log in with [redacted]');
    expect(JSON.stringify([result, computer.history(), computer.log])).not.toContain('literal-value-of-the-file');
  });

  const forms = [
    ['postgres://app:Sup3r@Secr3tPassw0rd@127.0.0.1/x', 'Sup3r@Secr3tPassw0rd', 'postgres://********@127.0.0.1/x'],
    ['jdbc:mysql://app:Secr3tPassw0rd@127.0.0.1/x', 'Secr3tPassw0rd', 'jdbc:mysql://********@127.0.0.1/x'],
    ['Server=db;User Id=sa;Password=Secr3tPassw0rd;', 'Secr3tPassw0rd', 'Server=db;User Id=sa;Password=********;'],
    ['AccountName=x;AccountKey=Secr3tPassw0rd1234;', 'Secr3tPassw0rd1234', 'AccountName=x;AccountKey=********;'],
  ] as const;
  for (const [argument, password, shown] of forms)
    verifies('SEC-MASK-01', `no Agent learns the password of ${argument}`, async () => {
      const { command, args } = oddities();
      const start = argument.indexOf(password);
      const server_parameters = { command, args: [...args, argument, `${start}`, `${start + password.length}`] };
      const { agent, computer } = await office({ mcpServers: [server('odd', { server_parameters })] });
      const answer = await ask(agent, 'client:get_config', { agent: 'a', req_id: 'q', computer: 'pc' });
      expect(JSON.stringify(answer)).toContain(JSON.stringify(shown));
      const result = await call(agent, 'leak', {});
      expect(textOf(result)).toContain('cannot log in with [redacted]');
      expect(JSON.stringify([answer, result, computer.history(), computer.log])).not.toMatch(/Secr3t|Passw0rd/);
    });

  verifies('COMP-HIST-02', 'are removed if they come from a default value', async () => {
    const computer = await boot({
      inputs: inputs({ ...TOKEN, default: 's3cret-default' }),
      mcpServers: [server('odd', { server_parameters: oddities({ TOKEN: '${input:TOKEN}' }) })],
    });
    expect(textOf(await computer.executeTool('1', 'leak', {}))).toContain('cannot log in with [redacted]');
  });

  verifies(['COMP-HIST-02', 'COMP-ASK-02'], 'are removed from the error of a failed confirmation', async () => {
    const computer = await boot({
      inputs: inputs(TOKEN),
      mcpServers: [withToken('w', { default_tool_meta: null })],
      askInput: async () => 's3cret-token',
      confirm: () => {
        throw new Error('no window for s3cret-token');
      },
    });
    const result = await computer.executeTool('1', 'echo', { message: 'hi' });
    expect(textOf(result)).toContain('no window for [redacted]');
    expect(JSON.stringify([result, computer.history(), computer.log])).not.toContain('s3cret-token');
  });

  verifies('COMP-HIST-02', 'are removed from the name of an unknown tool', async () => {
    const computer = await boot({
      inputs: inputs(TOKEN),
      mcpServers: [withToken('w')],
      askInput: async () => 's3cret-token',
    });
    await computer.executeTool('1', 's3cret-token', {});
    expect(computer.history()).toMatchObject([{ tool: '[redacted]', error: expect.stringContaining('[redacted]') }]);
    expect(JSON.stringify([computer.history(), computer.log])).not.toContain('s3cret-token');
  });
});
