import { MCPProxy, type MCPProxyOptions, type ToolboxSkill, type ToolboxSkills } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { atEnd, DOORS, enter } from './doors.js';
import { MemoryToolbox } from './memory-toolbox.js';
import { officeAt, serve } from './office.js';
import { TestComputer } from './test-computer.js';

/** What `inspect` answers. */
interface Answer {
  readonly content: readonly { readonly type: string; readonly text?: string; readonly [other: string]: unknown }[];
  readonly isError?: boolean;
}

async function inspecting(proxy: MCPProxy) {
  atEnd(() => proxy.close());
  const client = await enter(proxy, DOORS[0]);
  const inspect = async (args: Record<string, unknown>) =>
    (await client.callTool({ name: 'inspect', arguments: { server_name: '*', ...args } })) as unknown as Answer;
  const text = async (args: Record<string, unknown>) => (await inspect(args)).content[0]?.text;
  const properties = async () => (await client.listTools()).tools[0]?.inputSchema.properties ?? {};
  return { client, inspect, text, properties };
}

/** Skills in memory; each file is `name/path`. */
class MemorySkills implements ToolboxSkills {
  areOffered = true;
  readonly listeners = new Set<() => void>();
  skills: readonly ToolboxSkill[] = [{ name: 'letters', description: 'Writes\nletters' }];
  readonly files: Record<string, Uint8Array> = { letters: Buffer.from('# Letters') };

  async list() {
    return { skills: this.skills, problems: [] };
  }

  async read(reference: string) {
    const bytes = this.files[reference];
    if (!bytes) throw new Error('Skill not found');
    return { path: reference, mimeType: reference.endsWith('.png') ? 'image/png' : 'application/x-any', bytes };
  }

  onChange(listener: () => void) {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}

function withSkills(options: MCPProxyOptions = {}) {
  const skills = new MemorySkills();
  const toolbox = Object.assign(new MemoryToolbox([]), { skills });
  return { skills, proxy: new MCPProxy(toolbox, options) };
}

describe('skills in inspect', () => {
  verifies('MEM-SKILL-07', 'are listed on one line each and read; files keep their type', async () => {
    const { proxy, skills } = withSkills();
    const { inspect, text } = await inspecting(proxy);
    expect(await text({ list: 'skills' })).toBe(
      '1 skill. Read one with skill_name, before you do such a task.\n- letters: Writes letters',
    );
    expect(await text({ skill_name: 'letters' })).toBe('# Letters');
    expect(await inspect({ skill_name: 'none' })).toMatchObject({
      isError: true,
      content: [{ text: 'Skill not found' }],
    });
    const binary = Buffer.from([0xff, 0xd8, 0x00]);
    Object.assign(skills.files, { 'letters/a.png': binary, 'letters/a.bin': binary });
    Object.assign(skills.files, { 'letters/large.bin': Buffer.alloc(2 ** 20 + 1, 0xff) });
    const data = binary.toString('base64');
    expect((await inspect({ skill_name: 'letters/a.png' })).content).toMatchObject([{ type: 'image', data }]);
    expect((await inspect({ skill_name: 'letters/a.bin' })).content).toMatchObject([
      { type: 'resource', resource: { blob: data } },
    ]);
    expect(await text({ skill_name: 'letters/large.bin' })).toContain('has 1048577 bytes');
  });

  verifies('MEM-SKILL-07', 'are paged; long instructions are continued', async () => {
    const { proxy, skills } = withSkills({ pageTokens: 200, maxResultLength: 1_000 });
    skills.skills = Array.from({ length: 60 }, (_, index) => ({ name: `skill-${index}`, description: 'Does much' }));
    skills.files['skill-0'] = Buffer.from('word '.repeat(300));
    const { inspect, text } = await inspecting(proxy);
    const seen: string[] = [];
    for (let cursor: string | undefined, first = true; first || cursor; first = false) {
      const page = (await text({ list: 'skills', ...(cursor && { cursor }) })) ?? '';
      expect(page.length).toBeLessThan(1_000);
      seen.push(...(page.match(/skill-\d+/g) ?? []));
      cursor = /"cursor": "(.*)"/.exec(page)?.[1];
    }
    expect(seen).toEqual(skills.skills.map(({ name }) => name));
    expect(await text({ list: 'skills', cursor: 'list:60' })).toContain('ends at 60');
    expect(await text({ list: 'skills', cursor: 'x' })).toContain('not a cursor');
    const [begin, note] = (await inspect({ skill_name: 'skill-0' })).content;
    const cursor = /"cursor": "(.*)"/.exec(note?.text ?? '')?.[1];
    expect(`${begin?.text}${await text({ cursor })}`).toBe('word '.repeat(300));
  });

  verifies('MEM-SKILL-07', 'are not mentioned until there are some, and follow the selection', async () => {
    const { proxy, skills } = withSkills();
    skills.areOffered = false;
    const { client, properties } = await inspecting(proxy);
    expect(JSON.stringify(await properties())).not.toContain('skill');
    const changed = new Promise<void>((resolve) =>
      client.setNotificationHandler('notifications/tools/list_changed', () => resolve()),
    );
    skills.areOffered = true;
    for (const listener of skills.listeners) listener();
    await changed;
    expect(await properties()).toMatchObject({ skill_name: {}, list: { enum: ['resources', 'prompts', 'skills'] } });

    const narrow = withSkills({ selection: { deny: ['secret*'] } });
    narrow.skills.skills = ['letters', 'secret-plans'].map((name) => ({ name, description: 'Yes' }));
    narrow.skills.files['secret-plans'] = Buffer.from('plans');
    const { text } = await inspecting(narrow.proxy);
    expect(await text({ list: 'skills' })).not.toContain('secret');
    expect(await text({ skill_name: 'secret-plans' })).toContain('not selected');
    expect(await text({ skill_name: 'letters' })).toBe('# Letters');
    const none = await inspecting(new MCPProxy(new MemoryToolbox([])));
    expect(await none.text({ list: 'skills' })).toBe('There are no skills here.');
  });

  verifies('MEM-SKILL-07', 'of an office are named after their Computer; one that fails hides no other', async () => {
    const { url } = await serve();
    const idle = { tools: () => [], run: async () => ({}) };
    for (const name of ['pc', 'a/b', 'odd']) {
      const { socket } = await TestComputer.join({ url, name, version: '0.4.0' }, idle);
      const entry = { name: 'letters', source: 'user', path: '/p', description: `Letters of ${name}` };
      socket.on('client:get_skills', ({ req_id }, ack) =>
        ack(name === 'odd' ? { code: 500, message: 'broken' } : { skills: [entry], req_id }),
      );
      socket.on('client:get_skill', ({ req_id, name: skill, rel_path = 'SKILL.md' }, ack) => {
        const body = `${name} ${skill} ${rel_path}`;
        const sha256 = 'a'.repeat(64);
        ack({ name: skill, rel_path, mime_type: 'text/plain', total_size: body.length, sha256, body, req_id });
      });
    }
    // Protocol 0.1 has no skills.
    await TestComputer.join({ url, name: 'old', version: '0.1.2' }, idle);
    const toolbox = officeAt(url);
    await toolbox.settled();
    const { text, properties } = await inspecting(new MCPProxy(toolbox));
    expect(await properties()).toHaveProperty('skill_name');
    const list = (await text({ list: 'skills' })) ?? '';
    expect(list.split('\n')).toEqual([
      '2 skills. Read one with skill_name, before you do such a task.',
      expect.stringMatching(/^odd: its skills are not known: /),
      '- a%2Fb/letters: Letters of a/b',
      '- pc/letters: Letters of pc',
    ]);
    expect(await text({ skill_name: 'a%2Fb/letters' })).toBe('a/b letters SKILL.md');
    expect(await text({ skill_name: 'pc/letters/forms/a.md' })).toBe('pc letters forms/a.md');
    expect(await text({ skill_name: 'letters' })).toContain('computer/skill');
  });
});
