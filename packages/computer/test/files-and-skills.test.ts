import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type PutBlobRet, SMCPError } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import type { Socket } from 'socket.io-client';
import { describe, expect } from 'vitest';
import { COMPUTER_LIMITS } from '../src/index.js';
import { landingName } from '../src/uploads/landing-name.js';
import { agentIn, ask, boot, joined, serve, folder as temporaryFolder, until } from './harness.js';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const reasonOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SMCPError);
  return [(error as SMCPError).a2cCode, (error as SMCPError).details.reason];
};

describe('files that Agents send', () => {
  const FILE = Buffer.from('hello, world');
  const first = { agent: 'a', computer: 'pc', chunk_offset: 0, eof: false, total_size: 12, sha256: sha256(FILE) };
  let request = 0;
  const part = (from: number, to: number, more: object = {}) => ({
    ...{ agent: 'a', computer: 'pc', req_id: `r${++request}`, chunk_offset: from, eof: to === 12 },
    ...{ blob: FILE.subarray(from, to).toString('base64'), ...more },
  });
  const start = (to: number, more: object = {}) => part(0, to, { ...first, eof: to === 12, ...more });

  async function landing(limits: object = {}) {
    const root = temporaryFolder();
    const computer = await boot({ mcpServers: [], landingRoot: root, limits });
    const put = (chunk: object, owner = 'a') => computer.receiveBlob(chunk as never, owner);
    const parts = () => readdirSync(join(root, '.a2c-upload'));
    return { root, put, parts, computer };
  }

  verifies('MEM-PUT-01', 'arrive in chunks, under a harmless name, when they are complete and right', async () => {
    const { root, put, parts } = await landing();
    const opened = await put(start(5, { name_hint: '../../etc/pass wd.txt' }));
    const { upload_id } = opened;
    expect(opened).toEqual({ upload_id: expect.stringMatching(/^[0-9a-f]{32}$/), chunk_offset: 0, req_id: 'r1' });
    expect(readdirSync(root)).toEqual(['.a2c-upload']);
    await put(part(5, 9, { upload_id }));
    const done = await put(part(9, 12, { upload_id }));
    expect(done).toMatchObject({ total_size: 12, sha256: sha256(FILE), chunk_offset: 9 });
    expect(done.landing_path).toBe(join(root, `${upload_id}_etc_pass_wd.txt`));
    expect(readFileSync(done.landing_path as string, 'utf8')).toBe('hello, world');
    expect(parts()).toEqual([]);
    expect((await put(start(12, { sha256: sha256(FILE).toUpperCase() }))).landing_path).toBeDefined();
  });

  verifies('MEM-PUT-01', 'names are folded as published', () => {
    const names = { 'a/b/c.png': 'x_a_b_c.png', '.hidden': 'x_hidden', '...': 'x', '文件.md': 'x_md' };
    for (const [hint, name] of Object.entries(names)) expect(landingName('x', hint)).toBe(name);
    expect(landingName('x', 'y'.repeat(200))).toBe(`x_${'y'.repeat(64)}`);
  });

  verifies('MEM-PUT-02', 'a repeated chunk is answered again and not written again', async () => {
    const { put } = await landing();
    const chunk = start(5);
    const opened = await put(chunk);
    expect(await put(chunk)).toEqual(opened);
    const { upload_id } = opened;
    const last = part(5, 12, { upload_id });
    const done = await put(last);
    expect(await put(last)).toEqual(done);
    expect(readFileSync(done.landing_path as string, 'utf8')).toBe('hello, world');
  });

  verifies('MEM-PUT-03', 'are refused with the reason, and no partial file is left', async () => {
    const { root, put, parts } = await landing({ uploadBytes: 100, uploads: 2 });
    const none = await boot({ mcpServers: [] });
    expect(await reasonOf(none.receiveBlob(start(12) as never, 'a'))).toEqual([4019, 'forbidden']);
    for (const wrong of [{ total_size: 0 }, { sha256: 'x' }, { total_size: undefined }, { blob: '*' }])
      expect(await reasonOf(put(start(5, wrong)))).toEqual([4019, 'invalid_declaration']);
    expect(await reasonOf(put(start(5, { total_size: 101 })))).toEqual([4019, 'too_large']);
    expect(await reasonOf(put(start(12, { sha256: '0'.repeat(64) })))).toEqual([4019, 'integrity']);
    expect(await reasonOf(put(start(5, { eof: true })))).toEqual([4019, 'range']);
    expect(await reasonOf(put(start(12, { total_size: 3 })))).toEqual([4019, 'range']);
    expect(await reasonOf(put(part(5, 9, { upload_id: 'f'.repeat(32) })))).toEqual([4019, 'invalid_upload']);
    expect(parts()).toEqual([]);
    // In this order: the root, the declaration, the size, the number of uploads, the folder.
    const huge = { total_size: 101, sha256: 'x' };
    expect(await reasonOf(none.receiveBlob(start(5, huge) as never, 'a'))).toEqual([4019, 'forbidden']);
    expect(await reasonOf(put(start(5, huge)))).toEqual([4019, 'invalid_declaration']);

    const { upload_id } = await put(start(5));
    expect(await reasonOf(put(part(5, 9, { upload_id }), 'b'))).toEqual([4019, 'invalid_upload']);
    expect(await reasonOf(put(part(5, 9, { upload_id, total_size: 12 })))).toEqual([4019, 'invalid_declaration']);
    expect(await reasonOf(put(part(6, 9, { upload_id })))).toEqual([4019, 'range']);
    await put(start(5));
    expect(await reasonOf(put(start(5)))).toEqual([4019, 'busy']);
    const { upload_id: other } = await put(start(5), 'b'); // One Agent cannot use up the limit of another.
    await put(part(5, 12, { upload_id: other }), 'b');
    expect(await reasonOf(put(start(5, { total_size: 101 })))).toEqual([4019, 'too_large']);
    expect(await put(part(5, 12, { upload_id }))).toHaveProperty('landing_path');
    expect(readdirSync(root)).toHaveLength(3);
  });

  verifies(
    'MEM-PUT-03',
    'a folder that cannot be written is forbidden, a failure of the disk is io_error',
    async () => {
      const root = join(temporaryFolder(), 'file');
      writeFileSync(root, 'no folder');
      const closed = await boot({ mcpServers: [], landingRoot: root });
      expect(await reasonOf(closed.receiveBlob(start(5) as never, 'a'))).toEqual([4019, 'forbidden']);

      const { root: open, put } = await landing();
      const { upload_id } = await put(start(5));
      rmSync(join(open, '.a2c-upload'), { recursive: true });
      expect(await reasonOf(put(part(5, 12, { upload_id })))).toEqual([4019, 'io_error']);
      expect(await reasonOf(put(part(5, 12, { upload_id })))).toEqual([4019, 'invalid_upload']);
      expect(readdirSync(open)).toEqual([]);
      expect(await put(start(12))).toHaveProperty('landing_path');
    },
  );

  verifies('MEM-PUT-04', 'parts that an ended process left are removed by the next upload', async () => {
    const { root, put, parts } = await landing({ uploadIdleMs: 60_000 });
    mkdirSync(join(root, '.a2c-upload'));
    const left = (name: string, ageMs: number) => {
      const path = join(root, '.a2c-upload', name);
      writeFileSync(path, 'x');
      utimesSync(path, new Date(), new Date(Date.now() - ageMs));
    };
    left(`${'a'.repeat(32)}.part`, 61_000);
    left(`${'b'.repeat(32)}.part`, 10_000); // Another process may still receive it.
    left('notes.txt', 61_000);
    const { upload_id } = await put(start(5));
    expect(parts().toSorted()).toEqual([`${'b'.repeat(32)}.part`, `${upload_id}.part`, 'notes.txt'].toSorted());
    await put(part(5, 12, { upload_id }));
  });

  verifies(
    'COST-SHARE-01',
    'make room: of the Agent with most, the one without a chunk for the longest time',
    async () => {
      const { put } = await landing({ uploads: 2 });
      const opened = async (owner: string) => (await put(start(5), owner)).upload_id;
      const ids: Record<string, string[]> = {};
      for (const owner of ['a', 'b', 'c', 'd']) ids[owner] = [await opened(owner), await opened(owner)];
      await put(part(5, 9, { upload_id: ids.a?.[0] }), 'a');
      const late = await opened('e');
      expect(await reasonOf(put(part(5, 9, { upload_id: ids.a?.[1] }), 'a'))).toEqual([4019, 'invalid_upload']);
      await put(part(5, 12, { upload_id: late }), 'e');
      for (const owner of ['b', 'c', 'd']) await put(part(5, 12, { upload_id: ids[owner]?.[0] }), owner);
      expect(await put(part(9, 12, { upload_id: ids.a?.[0] }), 'a')).toHaveProperty('landing_path');
    },
  );

  verifies('COST-SHARE-01', 'are taken from an Agent that uses several names, and not from others', async () => {
    const { url } = await serve({ officePolicy: () => ({ agents: 'many' }) });
    const { computer } = await landing({ uploads: 2 });
    await joined(computer, url);
    const send = async (agent: Socket, name: string, chunk: object) =>
      (await ask(agent, 'client:put_blob', { ...chunk, agent: name }))[0] as PutBlobRet;
    const honest = await agentIn(url, 'o', 'honest');
    const { upload_id } = await send(honest, 'honest', start(5));
    const { upload_id: second } = await send(honest, 'honest', start(5));
    for (const name of ['m0', 'm1', 'm2', 'm3', 'm4', 'm5']) {
      const agent = await agentIn(url, 'o', name);
      for (let count = 0; count < 2; count++) expect(await send(agent, name, start(5))).toHaveProperty('upload_id');
      await ask(agent, 'server:leave_office', { office_id: 'o' });
    }
    for (const id of [upload_id, second])
      expect(await send(honest, 'honest', part(5, 12, { upload_id: id }))).toHaveProperty('landing_path');
    expect(await send(honest, 'honest', start(12))).toHaveProperty('landing_path');
  });

  verifies('MEM-PUT-03', 'have the published limits unless the owner sets others', () => {
    expect(COMPUTER_LIMITS).toMatchObject({ uploadBytes: 100 * 2 ** 20, uploads: 4, uploadIdleMs: 120_000 });
  });

  verifies('MEM-PUT-03', 'are removed when no chunk follows, and when the Computer closes', async () => {
    const { put, parts, computer } = await landing({ uploadIdleMs: 50 });
    const { upload_id } = await put(start(5));
    await until(() => parts().length === 0);
    expect(await reasonOf(put(part(5, 12, { upload_id })))).toEqual([4019, 'invalid_upload']);
    const { put: again, parts: left, computer: closing } = await landing();
    await again(start(5));
    expect(left()).toHaveLength(1);
    await closing.close();
    expect(left()).toEqual([]);
    await computer.close();
  });
});

describe('skills of the user and of plugins', () => {
  verifies('MEM-SKILL-10', 'their folder is created for the user alone', async () => {
    const path = join(temporaryFolder(), 'skills');
    await boot({ mcpServers: [], skills: { home: path } });
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  const SKILL =
    '---\nname: ignored\ndescription: Writes letters\ntags: [office, text]\nallowed-tools: a, b\nlicense: MIT\nmetadata: {team: x}\n---\n# Letters\n';

  function home() {
    const folder = temporaryFolder();
    const write = (path: string, text: string | Buffer) => {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    return { folder, write };
  }

  verifies('MEM-SKILL-02', 'are listed with their description and tags, and read by path', async () => {
    const { folder, write } = home();
    write('user/letters/SKILL.md', SKILL);
    write('user/letters/deep/SKILL.md', SKILL);
    write('user/letters/logo.png', Buffer.from([0, 1, 2]));
    write('user/no-description/SKILL.md', '---\nname: x\n---\n');
    write('user/Upper/SKILL.md', SKILL);
    write('user/plain.txt', 'no skill');
    const computer = await boot({ mcpServers: [], skills: { home: folder } });
    expect(computer.skills()).toEqual([
      {
        ...{ name: 'letters', source: 'user', path: join(folder, 'user', 'letters'), description: 'Writes letters' },
        ...{ tags: ['office', 'text'], allowed_tools: ['a', 'b'], license: 'MIT', skill_metadata: { team: 'x' } },
      },
    ]);
    const read = async (path?: string) => (await computer.readSkill('letters', path)).bytes.toString();
    expect(await read()).toBe('# Letters\n');
    expect(await read('deep/SKILL.md')).toBe(SKILL);
    expect(await computer.readSkill('letters', 'logo.png')).toMatchObject({
      mimeType: 'image/png',
      relPath: 'logo.png',
    });
    const warnings = computer.log.filter(({ level }) => level === 'warn').map(({ message }) => message);
    expect(warnings.filter((text) => /no-description|Upper/.test(text))).toHaveLength(2);
  });

  verifies('MEM-SKILL-03', 'nothing outside a skill is read', async () => {
    const { folder, write } = home();
    write('user/letters/SKILL.md', SKILL);
    write('user/letters/.skillenv', 'SECRET=1');
    write('user/letters/big.bin', Buffer.alloc(2_000));
    write('secret.txt', 'secret');
    symlinkSync(join(folder, 'secret.txt'), join(folder, 'user/letters/link.txt'));
    symlinkSync(folder, join(folder, 'user/letters/up'));
    symlinkSync('.skillenv', join(folder, 'user/letters/harmless.txt'));
    symlinkSync('SKILL.md', join(folder, 'user/letters/inside.md'));
    const computer = await boot({ mcpServers: [], skills: { home: folder }, limits: { skillFileBytes: 1_000 } });
    const refusal = (path: string, name = 'letters') => reasonOf(computer.readSkill(name, path));
    for (const path of ['../x', '/etc/passwd', 'a/../../x', '..\\x', 'C:x', 'a:b', '', './SKILL.md', 'a//b', 'x\0y'])
      expect(await refusal(path), path).toEqual([4017, 'traversal']);
    for (const path of ['link.txt', 'up/secret.txt']) expect(await refusal(path), path).toEqual([4017, 'traversal']);
    for (const path of ['.skillenv', '.SKILLENV', 'x/.skillenv', 'harmless.txt'])
      expect(await refusal(path), path).toEqual([4017, 'forbidden']);
    for (const path of ['none.txt', '.', 'deep']) expect((await refusal(path))[0], path).toBe(4017);
    expect(await refusal('big.bin')).toEqual([4017, 'too_large']);
    expect((await computer.readSkill('letters', 'inside.md')).bytes.toString()).toBe(SKILL);
    expect((await refusal('SKILL.md', 'none'))[0]).toBe(4014);
    expect((await refusal('SKILL.md', '../letters'))[0]).toBe(4016);
    expect(COMPUTER_LIMITS.skillFileBytes).toBe(100 * 2 ** 20);
  });

  verifies('MEM-SKILL-04', 'a changed, new or removed skill is reported', async () => {
    const { folder, write } = home();
    const computer = await boot({
      mcpServers: [],
      skills: { home: folder },
      limits: { skillDebounceMs: 10, skillStartMs: 100_000 },
    });
    let changes = 0;
    computer.on('skills', () => changes++);
    const after = async (change: () => void) => {
      const before = changes;
      change();
      await until(() => changes > before);
    };
    await after(() => write('user/one/SKILL.md', SKILL));
    expect(computer.skills().map(({ name }) => name)).toEqual(['one']);
    await after(() => write('user/one/SKILL.md', SKILL.replace('letters', 'mails')));
    expect(computer.skills()).toMatchObject([{ description: 'Writes mails' }]);
    // Only the text changes.
    await after(() => write('user/one/SKILL.md', `${SKILL.replace('letters', 'mails')}More\n`));
    await after(() => rmSync(join(folder, 'user/one'), { recursive: true }));
    expect(computer.skills()).toEqual([]);
    expect(COMPUTER_LIMITS.skillDebounceMs).toBe(300);
  });

  verifies('MEM-SKILL-05', 'those of enabled plugins are offered, and stay inside their marketplace', async () => {
    const { folder, write } = home();
    const catalogue = {
      plugins: [
        { name: 'writer', source: 'writer' },
        { name: 'evil', source: './../../outside' },
        { name: 'linked', source: './linked' },
        { name: 'off', source: 'off' },
        { name: 'alone', source: { source: 'github', repo: 'x/y' } },
      ],
    };
    write('marketplace/shop/.tfrobot-plugin/marketplace.json', JSON.stringify(catalogue));
    write('marketplace/shop/plugins/writer/skills/letters/SKILL.md', SKILL);
    write('marketplace/shop/plugins/writer/.tfrobot-plugin/plugin.json', '{"version": "1.2.3"}');
    write('marketplace/shop/plugins/off/skills/letters/SKILL.md', SKILL);
    write('marketplace/.plugins/shop/alone/skills/solo/SKILL.md', SKILL);
    write('outside/skills/letters/SKILL.md', SKILL);
    symlinkSync(join(folder, 'outside'), join(folder, 'marketplace/shop/linked'));
    const plugins = ['writer', 'evil', 'linked', 'alone', 'none'].map((name) => `${name}@shop`);
    const computer = await boot({ mcpServers: [], skills: { home: folder, plugins: [...plugins, '../x@shop'] } });
    expect(computer.skills()).toMatchObject([
      { name: 'alone:solo', source: 'marketplace:shop' },
      { name: 'writer:letters', source: 'marketplace:shop', version: '1.2.3' },
    ]);
    const warnings = computer.log.filter(({ level }) => level === 'warn').map(({ message }) => message);
    expect(warnings).toHaveLength(4);
    expect(existsSync(join(folder, 'user'))).toBe(true);
  });

  verifies('SEC-SKILL-01', 'links of a plugin do not lead out of it, and .git is never read', async () => {
    const { folder, write } = home();
    const catalogue = { plugins: ['p', 'whole', 'moved'].map((name) => ({ name, source: `./${name}` })) };
    const shop = (path: string) => join(folder, 'marketplace/shop', path);
    write('marketplace/shop/.tfrobot-plugin/marketplace.json', JSON.stringify(catalogue));
    for (const path of ['SKILL.md', 'p/shared/SKILL.md', 'p/skills/own/SKILL.md', 'whole/own/SKILL.md'])
      write(`marketplace/shop/${path}`, SKILL);
    for (const path of ['.git/config', 'p/shared/.git/config', 'p/.git/SKILL.md'])
      write(`marketplace/shop/${path}`, SKILL);
    write('user/private/SKILL.md', SKILL);
    mkdirSync(shop('moved'));
    const links = {
      'p/skills/repository': '../..',
      'p/skills/plugin': '..',
      'p/skills/git': '../.git',
      'p/skills/private': join(folder, 'user/private'),
      'p/skills/linked': '../shared',
      'moved/skills': join(folder, 'user'),
    };
    for (const [link, target] of Object.entries(links)) symlinkSync(target, shop(link));
    symlinkSync(shop('p/skills/own'), join(folder, 'user/chosen')); // The user's own links are followed.
    const plugins = ['p@shop', 'moved@shop'];
    const computer = await boot({ mcpServers: [], skills: { home: folder, plugins } });
    const names = computer.skills().map(({ name }) => name);
    expect(names).toEqual(['chosen', 'p:linked', 'p:own', 'private']);
    const warnings = computer.log.filter(({ message }) => message.includes('leads out of the plugin'));
    expect(warnings).toHaveLength(6);
    expect(await reasonOf(computer.readSkill('p:linked', '.git/config'))).toEqual([4017, 'forbidden']);
    rmSync(shop('p/skills/own'), { recursive: true });
    symlinkSync(join(folder, 'user/private'), shop('p/skills/own'));
    await expect(computer.readSkill('p:own')).rejects.toThrow();
  });
});
