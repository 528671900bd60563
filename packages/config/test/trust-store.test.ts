import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { loadRequiredConfig, policyFor, skillFolder, TrustStore, userConfigFolder } from '../src/index.js';
import { temporaryFolder } from './reading.js';

const store = () => new TrustStore(join(temporaryFolder(), 'trust'));
const trustOf = async (kept: TrustStore, root: string, config = 'mcp.json') =>
  (await policyFor((await loadRequiredConfig({ root, config })).source, {}, kept)).trusted;

describe('the trust store', () => {
  verifies(
    ['CONF-TRUST-01', 'CONF-TRUST-02'],
    'trusts a file until it changes, and again with its old content',
    async () => {
      const kept = store();
      const root = temporaryFolder({ 'mcp.json': '{}' });
      expect(await trustOf(kept, root)).toBe(false);
      await kept.trust((await loadRequiredConfig({ root })).source);
      expect(await trustOf(kept, root)).toBe(true);
      writeFileSync(join(root, 'mcp.json'), '{ }');
      expect(await trustOf(kept, root)).toBe(false);
      writeFileSync(join(root, 'mcp.json'), '{}');
      expect(await trustOf(kept, root)).toBe(true);
      await kept.revoke(join(root, 'mcp.json'));
      expect(await trustOf(kept, root)).toBe(false);
    },
  );

  verifies('CONF-TRUST-01', 'does not trust a copy or another file in the folder', async () => {
    const kept = store();
    const root = temporaryFolder({ 'mcp.json': '{}' });
    await kept.trust((await loadRequiredConfig({ root })).source);
    copyFileSync(join(root, 'mcp.json'), join(root, 'copy.json'));
    expect(await trustOf(kept, root, 'copy.json')).toBe(false);
    expect(await trustOf(kept, temporaryFolder({ 'mcp.json': '{}' }))).toBe(false);
  });

  verifies('CONF-TRUST-02', 'includes the files that a file refers to', async () => {
    const kept = store();
    const root = temporaryFolder({ 'mcp.json': { mcpServers: 'inner.json' }, 'inner.json': '{}' });
    await kept.trust((await loadRequiredConfig({ root })).source);
    expect(await trustOf(kept, root)).toBe(true);
    writeFileSync(join(root, 'inner.json'), '{"evil":{"command":"x"}}');
    expect(await trustOf(kept, root)).toBe(false);
  });

  verifies('CONF-TRUST-08', 'trusts a file for one root, also if another project has a link to it', async () => {
    const kept = store();
    const shop = temporaryFolder({ 'mcp.json': '{}' });
    const fork = temporaryFolder();
    symlinkSync(join(shop, 'mcp.json'), join(fork, 'named.json'));
    await kept.trust((await loadRequiredConfig({ root: shop })).source);
    expect(await trustOf(kept, fork, 'named.json')).toBe(false);
    expect(await trustOf(kept, fork, join(shop, 'mcp.json'))).toBe(false);
    await kept.trust((await loadRequiredConfig({ root: fork, config: 'named.json' })).source);
    expect([await trustOf(kept, fork, 'named.json'), await trustOf(kept, shop)]).toEqual([true, true]);
    await kept.revoke(join(fork, 'named.json'), fork);
    expect([await trustOf(kept, fork, 'named.json'), await trustOf(kept, shop)]).toEqual([false, true]);
    expect(await trustOf(kept, join(shop, 'missing'), join(shop, 'mcp.json'))).toBe(false);
    // The root itself may be a link.
    symlinkSync(shop, join(fork, 'link'));
    expect(await trustOf(kept, join(fork, 'link'))).toBe(true);
  });

  verifies('CONF-TRUST-08', 'a record of an earlier version counts in the folder of its file', async () => {
    const kept = store();
    const root = temporaryFolder({ 'mcp.json': '{}' });
    mkdirSync(join(root, '.tfrobot'));
    mkdirSync(kept.folder);
    writeFileSync(join(root, '.tfrobot', 'mcp.json'), '{ }');
    for (const file of [join(root, 'mcp.json'), join(root, '.tfrobot', 'mcp.json')]) {
      const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
      const name = createHash('sha256').update(file).digest('hex').slice(0, 32);
      const record = { file, sha256, trusted_at: '2026-01-01T00:00:00.000Z' };
      writeFileSync(join(kept.folder, `${name}.json`), JSON.stringify(record));
      expect(await trustOf(kept, root, file)).toBe(true);
      expect(await trustOf(kept, temporaryFolder(), file)).toBe(false);
    }
    await kept.revoke(join(root, 'mcp.json'));
    expect(await trustOf(kept, root)).toBe(false);
  });

  verifies('CONF-TRUST-01', 'an option trusts one call and stores nothing', async () => {
    const kept = store();
    const { source } = await loadRequiredConfig({ root: temporaryFolder({ 'mcp.json': '{}' }) });
    expect((await policyFor(source, { trusted: true }, kept)).trusted).toBe(true);
    expect((await policyFor(source, {}, kept)).trusted).toBe(false);
  });

  verifies('CONF-TRUST-02', 'records are private and complete; a damaged one is an error', async () => {
    const kept = store();
    const root = temporaryFolder({ 'mcp.json': '{}' });
    const { source } = await loadRequiredConfig({ root });
    await kept.trust(source);
    const [record, ...others] = readdirSync(kept.folder);
    expect(others).toEqual([]);
    expect(statSync(kept.folder).mode & 0o077).toBe(0);
    expect(statSync(join(kept.folder, record ?? '')).mode & 0o077).toBe(0);
    for (const damage of ['', '{', '{"file":1}', '[]']) {
      writeFileSync(join(kept.folder, record ?? ''), damage);
      await expect(kept.isTrusted(source)).rejects.toThrow('is damaged; delete it and trust the file again');
    }
  });

  verifies('MEM-SKILL-10', 'the folder of skills is that of the published SDKs, or inside A2C_HOME', () => {
    expect(skillFolder({})).toBe(join(homedir(), '.a2c', 'skills'));
    expect(skillFolder({ XDG_DATA_HOME: '/xdg' })).toBe(join('/xdg', 'a2c', 'skills'));
    expect(skillFolder({ XDG_DATA_HOME: '/xdg', A2C_HOME: '/home' })).toBe(join('/home', 'skills'));
    expect(skillFolder({ XDG_DATA_HOME: '/xdg', A2C_HOME: '/home', A2C_SKILL_HOME: '/own' })).toBe('/own');
  });

  verifies('CONF-TRUST-01', 'the folder is that of the platform, or inside A2C_HOME', () => {
    expect(userConfigFolder({ A2C_HOME: '/elsewhere' })).toBe(join('/elsewhere', 'config'));
    if (process.platform === 'linux') expect(userConfigFolder({ XDG_CONFIG_HOME: '/xdg' })).toBe('/xdg/a2c');
  });
});
