import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
export const WASM = join(PACKAGE, 'wasm/vrl.wasm');
const RECORD = join(PACKAGE, 'wasm/build.json');

/** The sources of the module outside SOURCE_FOLDER. */
const SOURCE_FILES = ['crate/.cargo/config.toml', 'crate/Cargo.toml', 'crate/Cargo.lock', 'tools/compile.mjs'];
const SOURCE_FOLDER = 'crate/src';

export function fileDigest(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

export function sourcesDigest() {
  const inFolder = readdirSync(join(PACKAGE, SOURCE_FOLDER)).map((name) => `${SOURCE_FOLDER}/${name}`);
  const lines = [...SOURCE_FILES, ...inFolder]
    .toSorted()
    .map((path) => `${fileDigest(join(PACKAGE, path))}  ${path}\n`);
  return createHash('sha256').update(lines.join('')).digest('hex');
}

export function readRecord() {
  return JSON.parse(readFileSync(RECORD, 'utf8'));
}

export function writeRecord(record) {
  writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`);
}

/** The version of the vrl crate in the lock file. */
export function vrlVersion() {
  const lock = readFileSync(join(PACKAGE, 'crate/Cargo.lock'), 'utf8');
  return /^name = "vrl"\nversion = "(.+)"$/m.exec(lock)[1];
}
