import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../../scripts/newer-protocol.js', import.meta.url));

/** Runs the check with programs that answer as the package managers do. */
function checkWith(pip: string, cargo: string) {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-registries-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, output] of Object.entries({ python3: pip, cargo })) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${output}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const env = { ...process.env, PATH: `${folder}:/usr/bin:/bin` };
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT], { env, encoding: 'utf8' });
  return { status, text: stdout + stderr };
}

verifies('GEN-INTEROP-03', 'a newer generation in a registry is reported, a newer patch is not', () => {
  const pip = (version: string) => `echo 'WARNING: experimental' >&2; echo 'a2c-smcp (${version})'`;
  const cargo = (version: string) => `echo smcp-agent; echo 'version: ${version}'`;
  expect(checkWith(pip('0.4.9'), cargo('0.4.1')).status).toBe(0);
  const newer = checkWith(pip('0.5.0'), cargo('0.4.1'));
  expect(newer).toMatchObject({ status: 1, text: expect.stringContaining('PyPI a2c-smcp: 0.5.0 is newer') });
  expect(checkWith(pip('0.4.2'), cargo('1.0.0')).status).toBe(1);
  const unreachable = checkWith(pip('0.4.2'), 'echo no route >&2; exit 1');
  expect(unreachable).toMatchObject({ status: 2, text: expect.stringContaining('cannot be asked: no route') });
});
