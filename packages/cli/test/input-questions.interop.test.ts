import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { Workplace, workshop } from './a2c.js';
import { KEYS, Person } from './terminal.js';

verifies(
  'CONF-INPUT-08',
  'Ctrl-C at a question cancels the start; Enter accepts the default, which is remembered',
  async () => {
    const inputs = [{ id: 'TOKEN', type: 'promptString', description: 'The token', default: 'usual' }];
    const servers = [workshop('w', {}, { TOKEN: '${input:TOKEN}' })];
    const place = new Workplace({ 'servers.json': { servers, inputs } });
    const person = new Person(place, ['-c', 'servers.json', '--no-auto-connect']);
    await person.sees('a2c> ');
    person.types('start w', KEYS.enter);
    await person.sees("[default: 'usual'] ");
    person.types(KEYS.ctrlC);
    expect(await person.sees('a2c> ')).toContain('start w: cancelled');
    person.types('inputs value list', KEYS.enter);
    await person.sees('{}');
    await person.sees('a2c> ');
    person.types('start w', KEYS.enter);
    await person.sees("[default: 'usual'] ");
    person.types(KEYS.enter);
    expect(await person.sees('a2c> ')).toContain("Server 'w' started");
    expect(await person.does('inputs value list')).toContain('"TOKEN": "usual"');
    person.types('exit', KEYS.enter);
    expect(await person.leaves()).toBe(0);
  },
);
