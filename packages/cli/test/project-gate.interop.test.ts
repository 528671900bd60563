import { readFileSync } from 'node:fs';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { Workplace, workshop } from './a2c.js';
import { KEYS, Person } from './terminal.js';

verifies(
  'MEM-GATE-02',
  'at a terminal of 80 columns, asks about the MCP servers of a project: yes, no, all',
  async () => {
    const servers = { one: workshop('one'), 'my two': workshop('my two'), three: workshop('three') };
    const place = new Workplace({ '.tfrobot/mcp.json': { servers } });
    const local = () => JSON.parse(readFileSync(place.path('.tfrobot/settings.local.json'), 'utf8'));
    const opened = (...args: string[]) => new Person(place, args, {}, 80);

    const first = opened();
    await first.sees('an MCP server that you have not approved: one');
    expect(await first.sees('Start it? yes / all of this project / no: ')).toContain('workshop.mjs');
    first.types('perhaps', KEYS.enter);
    await first.sees('Answer yes, all, or no');
    await first.sees('Start it?');
    first.types('y', KEYS.enter);
    await first.sees('not approved: my two (my_two)');
    await first.sees('Start it?');
    first.types('n', KEYS.enter);
    await first.sees('not approved: three');
    await first.sees('Start it?');
    first.types(KEYS.ctrlC);
    expect(await first.sees('a2c> ')).toContain('"three" of');
    const status = await first.does('status');
    expect([status.includes('one'), status.includes('two'), status.includes('three')]).toEqual([true, false, false]);
    first.types('exit', KEYS.enter);
    expect(await first.leaves()).toBe(0);
    expect(local()).toMatchObject({ enabledMcpjsonServers: ['one'], disabledMcpjsonServers: ['my_two'] });

    // Only the server without an answer is asked about again.
    const second = opened();
    expect(await second.sees('Start it?')).not.toMatch(/not approved: (one|my two)/);
    second.types('all of this project', KEYS.enter);
    await second.sees('a2c> ');
    expect(await second.does('status')).toMatch(/one[\s\S]*three|three[\s\S]*one/);
    second.types('exit', KEYS.enter);
    expect(await second.leaves()).toBe(0);

    // A changed file is a new question.
    place.write('.tfrobot/mcp.json', { servers: { one: workshop('one', {}, { NEW: '1' }) } });
    const third = opened('--lang', 'zh');
    expect(await third.sees('是否启动？')).toContain('此项目包含尚未批准的 MCP 服务器: one');
    third.types('否', KEYS.enter);
    await third.sees('a2c> ');
    third.types('exit', KEYS.enter);
    expect(await third.leaves()).toBe(0);
  },
);

verifies('MEM-GATE-04', 'a server that was answered with no does not start when all others are approved', async () => {
  const place = new Workplace({
    '~/config/mcp.json': { servers: { mail: workshop('mail') } },
    '.tfrobot/mcp.json': {
      servers: { mail: { ...workshop('mail'), vrl: '.evil = 1' }, one: workshop('one'), two: workshop('two') },
    },
  });
  const first = new Person(place, []);
  for (const answer of ['no', 'no', 'all']) {
    await first.sees('Start it? yes');
    first.types(answer, KEYS.enter);
  }
  await first.sees('a2c> ');
  const status = await first.does('status');
  expect([status.includes('mail'), status.includes('two')]).toEqual([true, true]);
  expect(await first.does('mcp')).not.toContain('evil');
  first.types('exit', KEYS.enter);
  expect(await first.leaves()).toBe(0);
  const local = JSON.parse(readFileSync(place.path('.tfrobot/settings.local.json'), 'utf8'));
  expect(local).toMatchObject({ disabledMcpjsonServers: ['one'], refusedMcpServers: ['mail', 'one'] });

  const second = new Person(place, []);
  expect(await second.sees('a2c> ')).not.toContain('Start it?');
  expect(await second.does('mcp')).not.toContain('evil');
  second.types('exit', KEYS.enter);
  expect(await second.leaves()).toBe(0);
});

verifies(
  'MEM-GATE-05',
  'the answer "all" is given after all were shown, and starts none that is too long',
  async () => {
    const long = workshop('long', {}, { LONG: 'x'.repeat(9_000) });
    const servers = { long, one: workshop('one'), two: workshop('two'), three: workshop('three') };
    const place = new Workplace({ '.tfrobot/mcp.json': { servers } });
    const person = new Person(place, []);
    expect(await person.sees('Start it? yes')).toContain('"long" of');
    person.types('all', KEYS.enter);
    const rest = await person.sees('Start these too (2)?');
    expect([rest.includes('not approved: two'), rest.includes('not approved: three')]).toEqual([true, true]);
    person.types('no', KEYS.enter);
    await person.sees('Start it? yes');
    person.types('all', KEYS.enter);
    await person.sees('Start these too (1)?');
    person.types('yes', KEYS.enter);
    await person.sees('a2c> ');
    const status = await person.does('status');
    expect(['one', 'two', 'three', 'long'].map((name) => status.includes(name))).toEqual([true, true, true, false]);
    person.types('exit', KEYS.enter);
    expect(await person.leaves()).toBe(0);
  },
);

verifies('MEM-GATE-07', 'the question shows the bundle id that a server gets instead of that of another', async () => {
  const place = new Workplace({
    '~/config/mcp.json': { servers: { one: workshop('one') } },
    '.tfrobot/mcp.json': { servers: { helper: workshop('helper', { bundle_id: 'one' }) } },
  });
  const person = new Person(place, []);
  const shown = await person.sees('Start it? yes');
  expect(shown).toContain('its bundle id "one" belongs to another server; this one gets the id: one-project');
  person.types(KEYS.ctrlC);
  await person.sees('a2c> ');
  person.types('exit', KEYS.enter);
  expect(await person.leaves()).toBe(0);
});
