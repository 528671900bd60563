// npm run vrl:build — builds wasm/vrl.wasm from crate/ and records the sources and tools.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { compileTo, installedToolchain, missingPackages } from './compile.mjs';
import { fileDigest, PACKAGE, sourcesDigest, vrlVersion, WASM, writeRecord } from './record.mjs';

const missing = missingPackages();
if (missing.length > 0) {
  console.error(`vrl:build needs the Debian packages ${missing.join(', ')}; run: apt-get install ${missing.join(' ')}`);
  process.exit(1);
}
const sources = sourcesDigest();
compileTo(WASM, join(PACKAGE, '../../node_modules/.cache/vrl'));
if (sourcesDigest() !== sources) {
  console.error('vrl:build: the sources changed during the build; run npm run vrl:build again');
  process.exit(1);
}
const record = {
  vrl: vrlVersion(),
  bytes: statSync(WASM).size,
  sha256: fileDigest(WASM),
  sources,
  toolchain: installedToolchain(),
};
writeRecord(record);
console.log(`vrl:build wrote ${record.bytes} bytes, SHA-256 ${record.sha256}`);
