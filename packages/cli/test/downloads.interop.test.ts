import { chmodSync } from 'node:fs';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { COMMAND, Workplace, workshop } from './a2c.js';
import { Person } from './terminal.js';

/** A program with the name of a downloader: it fails without certificates, waits for a file, and becomes a server. */
function downloader(server: object): Workplace {
  const { server_parameters } = server as { server_parameters: { command: string; args: readonly string[] } };
  const { command, args } = server_parameters;
  const wait = 'while [ ! -e "$(dirname "$0")/downloaded" ]; do sleep 0.1; done';
  const check = '[ -n "$SSL_CERT_FILE" ] || { echo "error: Failed to fetch" >&2; exit 2; }';
  const place = new Workplace({ npx: `#!/bin/sh\n${check}\n${wait}\nexec '${command}' '${args[0]}'\n` });
  chmodSync(place.path('npx'), 0o755);
  return place;
}

verifies('NEW-OUTPUT-06', 'a slow start shows that the program downloads', async () => {
  const place = downloader(workshop('w'));
  const env = { SSL_CERT_FILE: '/certificates.pem' };
  const call = ['mcp', 'call', '--stdio', `${place.path('npx')} -y server`, 'environment', 'name=SSL_CERT_FILE'];
  const person = new Person(place, call, env, 80, COMMAND);
  await person.sees('npx: downloading (2 s)');
  place.write('downloaded', '');
  await person.sees('/certificates.pem');
  expect(await person.leaves()).toBe(0);
});

verifies('NEW-OUTPUT-06', 'a failed download names the variables that the program does not get', async () => {
  const place = downloader(workshop('w'));
  const npx = { command: place.path('npx'), args: ['-y', 'server'] };
  place.write('mcp.json', { mcpServers: { npx } });
  place.write('downloaded', '');
  const env = { SSL_CERT_FILE: '/certificates.pem' };
  const call = ['mcp', 'call', 'npx', 'environment', 'name=SSL_CERT_FILE', '--trust'];
  const failed = await place.a2cWith(env, ...call);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('error: Failed to fetch; if the download') });
  const [remedy] = /"SSL_CERT_FILE": "\$\{env:SSL_CERT_FILE\}"$/m.exec(failed.stderr) ?? [];
  place.write('mcp.json', { mcpServers: { npx: { ...npx, env: JSON.parse(`{${remedy}}`) } } });
  expect(await place.a2cWith(env, ...call)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('/certificates.pem'),
  });
});
