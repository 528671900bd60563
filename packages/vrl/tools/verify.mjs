// npm run vrl:verify [-- --quick] — checks that the committed wasm/vrl.wasm was built from the committed crate/.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { compileTo, installedToolchain } from './compile.mjs';
import { fileDigest, readRecord, sourcesDigest, WASM } from './record.mjs';

/** A rebuild takes minutes and its result does not change, so a success is cached per user. */
const REMEMBERED = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'a2c/vrl-rebuilt.json');

const record = readRecord();
if (fileDigest(WASM) !== record.sha256) {
  fail('wasm/vrl.wasm differs from the digest in wasm/build.json; run npm run vrl:build, or restore the file');
}
if (sourcesDigest() !== record.sources) {
  fail('the crate or its recipe changed since wasm/vrl.wasm was built; run npm run vrl:build and commit the result');
}
const obstacle = process.argv.includes('--quick')
  ? '--quick was given'
  : toolchainDifference(record.toolchain, installedToolchain());
if (obstacle !== undefined) {
  pass('QUICK', `the digests of source and module match the record. Not rebuilt: ${obstacle}`);
} else if (remembered()) {
  pass('FULL', 'an earlier rebuild on this machine from the same source and toolchain was byte for byte the same');
} else {
  rebuildAndCompare();
  mkdirSync(dirname(REMEMBERED), { recursive: true });
  writeFileSync(REMEMBERED, JSON.stringify(record));
  pass('FULL', 'rebuilt from the source, byte for byte the same');
}

function toolchainDifference(wanted, installed) {
  const different = Object.entries(wanted).filter(([name, version]) => installed[name] !== version);
  if (different.length === 0) return undefined;
  return `this machine lacks ${different.map(([name, version]) => `${name} ${version}`).join(', ')}`;
}

function remembered() {
  try {
    return isDeepStrictEqual(JSON.parse(readFileSync(REMEMBERED, 'utf8')), record);
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return false;
    throw error;
  }
}

function rebuildAndCompare() {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-vrl-'));
  const rebuilt = join(folder, 'vrl.wasm');
  let digest;
  try {
    compileTo(rebuilt, join(folder, 'target'));
    digest = fileDigest(rebuilt);
  } finally {
    rmSync(folder, { recursive: true });
  }
  if (digest !== record.sha256) fail('the module built from this source differs; run npm run vrl:build');
}

function pass(mode, text) {
  console.log(`vrl:verify ${mode}: ${text}`);
}

function fail(text) {
  console.error(`vrl:verify FAILED: ${text}`);
  process.exit(1);
}
