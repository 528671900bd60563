import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifies } from '@a2c/requirements';
import { afterEach, beforeEach, describe, expect } from 'vitest';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
let copy = '';

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'a2c-vrl-test-'));
  for (const part of ['crate', 'tools', 'wasm']) cpSync(join(PACKAGE, part), join(copy, part), { recursive: true });
});

afterEach(() => rmSync(copy, { recursive: true }));

function verify() {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(copy, 'tools/verify.mjs'), '--quick'], {
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

describe('vrl:verify', () => {
  verifies('VRL-BUILD-01', 'prints what it checked', () => {
    expect(verify()).toEqual({
      status: 0,
      output: 'vrl:verify QUICK: the digests of source and module match the record. Not rebuilt: --quick was given\n',
    });
  });

  for (const path of [
    'crate/src/engine.rs',
    'crate/src/new.rs',
    'crate/Cargo.toml',
    'crate/Cargo.lock',
    'crate/.cargo/config.toml',
    'tools/compile.mjs',
  ]) {
    verifies('VRL-BUILD-01', `detects a change of ${path}`, () => {
      appendFileSync(join(copy, path), '\n');
      const { status, output } = verify();
      expect(status).toBe(1);
      expect(output).toContain('FAILED: the crate or its recipe changed since wasm/vrl.wasm was built');
    });
  }

  verifies('VRL-BUILD-01', 'detects another module', () => {
    appendFileSync(join(copy, 'wasm/vrl.wasm'), '\0');
    const { status, output } = verify();
    expect(status).toBe(1);
    expect(output).toContain('FAILED: wasm/vrl.wasm differs from the digest in wasm/build.json');
  });
});

verifies('VRL-BUILD-02', 'the notice names the licence, the version that was built, and its source', () => {
  const notice = readFileSync(join(PACKAGE, 'NOTICE'), 'utf8');
  const { vrl } = JSON.parse(readFileSync(join(PACKAGE, 'wasm/build.json'), 'utf8')) as { vrl: string };
  expect(readFileSync(join(PACKAGE, 'crate/Cargo.toml'), 'utf8')).toContain(`version = "=${vrl}"`);
  expect(notice).toContain(`(VRL), version ${vrl}`);
  expect(notice).toContain('Mozilla Public License 2.0');
  expect(notice).toContain(`https://crates.io/crates/vrl/${vrl}`);
});
