import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { Workplace, workshop } from './a2c.js';
import { KEYS, Person } from './terminal.js';

verifies('CONF-INPUT-08', 'Ctrl-C at the first of several questions cancels the command', async () => {
  const ids = ['TOKEN', 'REGION', 'LEVEL'];
  const inputs = ids.map((id) => ({ id, type: 'promptString', description: `The ${id}` }));
  const variables = Object.fromEntries(ids.map((id) => [id, `\${input:${id}}`]));
  const servers = [workshop('w', {}, variables), workshop('v', {}, { LEVEL: '${input:LEVEL}' })];
  const place = new Workplace({ 'servers.json': { servers, inputs } });
  const person = new Person(place, ['-c', 'servers.json', '--no-auto-connect']);
  await person.sees('a2c> ');
  for (const command of ['start w', 'start all']) {
    person.types(command, KEYS.enter);
    await person.sees('The TOKEN');
    person.types(KEYS.ctrlC);
    const shown = await person.sees('a2c> ');
    expect(shown).toContain(`${command}: cancelled`);
    expect(shown).not.toMatch(/background|The (?:REGION|LEVEL)/);
    expect(await person.does('inputs value list')).toMatch(/^inputs value list\s+\{\}\s+$/);
  }
  person.types('exit', KEYS.enter);
  expect(await person.leaves()).toBe(0);
});

verifies('SHELL-CMD-01', 'server edit opens the editor again with the text that has a mistake', async () => {
  const place = new Workplace({ 'servers.json': [workshop('w')] });
  const [right, wrong] = ['"auto_apply": true', '"auto_aply": true'];
  const script = `grep -q auto_aply "$1" && sed -i 's/aply/apply/' "$1" || sed -i 's/${right}/${wrong}/; s/"w"/"w", "start_timeout": 30/' "$1"`;
  place.write('editor.sh', script);
  const person = new Person(place, ['-c', 'servers.json'], { VISUAL: `sh ${place.path('editor.sh')}` });
  await person.sees('a2c> ');
  person.types('server edit w', KEYS.enter);
  await person.sees('did you mean "auto_apply"?');
  await person.sees('Open the editor again with this text? yes / no: ');
  person.types('yes', KEYS.enter);
  expect(await person.sees('a2c> ')).toContain('Server config added/updated');
});
