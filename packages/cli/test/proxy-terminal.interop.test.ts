import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { COMMAND, Workplace } from './a2c.js';
import { KEYS, Person } from './terminal.js';

verifies('MCPX-CLI-01', 'on a terminal, explains what it waits for and how to stop it', async () => {
  const place = new Workplace({ 'mcp.json': { mcpServers: {} } });
  const person = new Person(place, ['proxy', '--config', 'mcp.json'], {}, 200, COMMAND);
  await person.sees('serving MCP on stdin and stdout, for an MCP client ("npx a2c config export"');
  await person.sees('Press Ctrl-C to stop.');
  person.types(KEYS.ctrlC);
  expect(await person.leaves()).toBe(0);
});
