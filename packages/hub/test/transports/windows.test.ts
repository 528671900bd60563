import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { taskkill } from '../../src/transports/process/windows-rules.js';

verifies('HUB-WINDOWS-01', 'a signal to a process tree is a command', () => {
  expect(taskkill(7, 'SIGTERM')).toEqual(['taskkill', '/PID', '7', '/T']);
  expect(taskkill(7, 'SIGKILL')).toEqual(['taskkill', '/PID', '7', '/T', '/F']);
  expect(taskkill(7, 0)).toBeUndefined();
});

verifies('HUB-WINDOWS-01', 'a .cmd program runs through cmd.exe, and its arguments cannot become commands', () => {
  const crossSpawn = createRequire(import.meta.url).resolve('cross-spawn');
  const code = `Object.defineProperty(process, 'platform', { value: 'win32' });
    process.env.comspec = 'cmd.exe';
    console.log(JSON.stringify(require(${JSON.stringify(crossSpawn)})._parse('C:/x/npx.cmd', ['-y', 'a b', 'c&calc'])));`;
  const parsed = JSON.parse(execFileSync(process.execPath, ['-e', code], { encoding: 'utf8' }));
  expect(parsed).toMatchObject({ command: 'cmd.exe', args: ['/d', '/s', '/c', expect.any(String)] });
  expect(parsed.args[3]).toContain('c^&calc');
});
