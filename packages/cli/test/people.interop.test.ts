import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { BINARY, Workplace } from './a2c.js';
import { Person } from './terminal.js';

const DEMO = `"${process.execPath}" "${fileURLToPath(new URL('../dist/demo/demo-server.js', import.meta.url))}"`;

const SLOW = { timeout: 60_000 };

verifies(
  'NEW-OUTPUT-01',
  'a2c mcp prints signatures, text and images for people at a terminal, and JSON with --json',
  async () => {
    const place = new Workplace();
    const shows = async (...args: string[]) => {
      const person = new Person(place, ['mcp', ...args, '--stdio', DEMO], {}, 100, BINARY);
      expect(await person.leaves()).toBe(0);
      return person.screen.replaceAll('\r\n', '\n');
    };
    const tools = await shows('tools');
    expect(tools).toMatch(/^\/\/ .+\nadd_note\(args: \{text: string\}\)/m);
    expect(tools).not.toContain('"inputSchema"');
    const coloured = new Person(place, ['mcp', 'tools', '--stdio', DEMO], { NO_COLOR: '' }, 100, BINARY);
    await coloured.leaves();
    expect(coloured.raw).toContain('\u001b[1madd_note\u001b[22m(args: {text: string})');
    expect(await shows('call', 'add_note', 'text=milk')).toBe('Note 1 added.\n');
    expect(await shows('call', 'bar_chart', 'values=[1,2]', '--save', 'images')).toMatch(/^images\/\S+\.(png|svg)$/m);
    expect(readdirSync(place.path('images'))).toHaveLength(1);
    expect(JSON.parse(await shows('tools', '--json')).tools).toContainEqual(
      expect.objectContaining({ name: 'add_note' }),
    );
  },
  SLOW,
);
