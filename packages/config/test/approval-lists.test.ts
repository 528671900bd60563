import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { approvalLists, readConfig, readSettings, TrustGuard, UNTRUSTED } from '@a2c/config';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';

verifies('MEM-GATE-01', 'the lists of administrator and user switch servers off, in this order', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-lists-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [file, policy] = [join(folder, 'settings.json'), join(folder, 'policy')];
  mkdirSync(join(policy, 'managed-settings.d'), { recursive: true });
  const write = (path: string, value: object) => writeFileSync(path, JSON.stringify(value));
  const names = ['my server', 'files', 'web', 'other'];
  const entries = names.map((name) => ({ name, type: 'stdio', server_parameters: { command: 'x' } }));
  const servers = readConfig(JSON.stringify(entries), { file: 'x.json' }).config?.servers ?? [];
  const verdicts = async () => {
    const guard = new TrustGuard({ ...UNTRUSTED, trusted: true, lists: await approvalLists({ file, policy }) });
    return servers.map((server) => guard.check(server)[0]?.message.match(/\w+Servers/)?.[0] ?? 'on');
  };
  expect(await verdicts()).toEqual(['on', 'on', 'on', 'on']);
  // Only the administrator can allow and deny.
  write(file, { disabledMcpjsonServers: ['files', 'web'], deniedMcpServers: ['other'], allowedMcpServers: ['web'] });
  expect(await verdicts()).toEqual(['on', 'disabledMcpjsonServers', 'disabledMcpjsonServers', 'on']);
  write(join(policy, 'managed-settings.json'), { deniedMcpServers: ['my_server', 'files'] });
  write(join(policy, 'managed-settings.d', 'a.json'), { allowedMcpServers: ['files', 'other'] });
  expect(await verdicts()).toEqual(['deniedMcpServers', 'deniedMcpServers', 'allowedMcpServers', 'on']);
  write(file, { deniedMcpServers: 'all' });
  await expect(readSettings(file)).rejects.toThrow(/settings\.json are not valid: deniedMcpServers/);
});
