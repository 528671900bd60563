import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { convertConfig, formatLoss, readConfig, resolveServer } from '../src/index.js';
import { read, readOne } from './reading.js';

const entry = (sandbox: unknown) => ({ mcpServers: { x: { command: 'node', sandbox } } });
const settings = { read: ['/data'], write: ['notes'], network: true };

verifies('SEC-SANDBOX-02', 'a sandbox is off by default and read from every format of a2c', async () => {
  for (const off of [undefined, null, false]) expect(readOne(entry(off)).transport).not.toHaveProperty('sandbox');
  const nothing = { read: [], write: [], network: false };
  expect(readOne(entry(true)).transport).toMatchObject({ sandbox: nothing });
  expect(readOne(entry(settings)).transport).toMatchObject({ sandbox: settings });
  const own = [{ name: 'x', type: 'stdio', server_parameters: { command: 'node', sandbox: settings } }];
  expect(readOne(own).transport).toMatchObject({ sandbox: settings });
  const { transport } = await resolveServer(readOne(entry({ ...settings, read: ['${userHome}/d'] })), {
    trusted: true,
    root: '/srv',
    home: '/home/me',
    env: {},
  });
  expect(transport).toMatchObject({ sandbox: { read: ['/home/me/d'], write: ['/srv/notes'], network: true } });
});

verifies('SEC-SANDBOX-02', 'a misspelt sandbox is an error, and one that a format cannot express is a loss', () => {
  for (const wrong of [{ reads: ['/data'] }, 'yes', { read: '/data' }]) {
    const { config, problems } = readConfig(JSON.stringify(entry(wrong)), { file: 'mcp.json' });
    expect(config?.servers ?? []).toEqual([]);
    expect(problems.some(({ severity }) => severity === 'error')).toBe(true);
  }
  const model = read(entry(settings));
  for (const to of ['a2c', 'mcpServers'] as const) {
    const { document, losses } = convertConfig(model, to);
    expect(losses).toEqual([]);
    expect(readOne(document).transport).toMatchObject({ sandbox: settings });
  }
  for (const to of ['v1', 'vscode'] as const) {
    expect(convertConfig(model, to).losses.map(formatLoss)).toContain(`x: sandbox: ${to} has no such field`);
  }
});
