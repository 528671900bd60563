import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { BINARY, Workplace } from './a2c.js';
import { KEYS, Person } from './terminal.js';

verifies(
  'MCPX-CLI-01',
  'on a terminal, explains what it waits for and how to stop it',
  async () => {
    const place = new Workplace({ 'mcp.json': { mcpServers: {} } });
    const person = new Person(place, ['proxy', '--config', 'mcp.json'], {}, 200, BINARY);
    await person.sees('speaking MCP on stdin and stdout; an MCP client starts this ("npx a2c config export"');
    await person.sees('Ctrl-C ends it.');
    person.types(KEYS.ctrlC);
    expect(await person.leaves()).toBe(0);
  },
  { timeout: 60_000 },
);
