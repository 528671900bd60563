#!/usr/bin/env node
// CommonJS: it starts faster than an ES module, and old versions of Node run it and show the message.
const { existsSync, writeSync } = require('node:fs');
const { join } = require('node:path');

const [major, minor] = process.versions.node.split('.').map(Number);
const bundle = join(__dirname, '../dist/bundle/main.js');
const modules = join(__dirname, '../dist/main.js');

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`a2c needs Node 20.19 or newer; this is Node ${process.versions.node}. Get it from https://nodejs.org`);
  process.exitCode = 1;
} else if (process.argv.length === 3 && ['--version', '-V'].includes(process.argv[2])) {
  // Scripts ask often. The stream of stdout takes longer to load than this takes.
  writeSync(1, `${require('../package.json').version}\n`);
} else if (existsSync(bundle)) {
  run(require('./compiled-code.js').load(bundle));
} else if (existsSync(modules)) {
  // `npm run dev` makes no bundle.
  void import('../dist/main.js').then(run);
} else {
  console.error('a2c is not built; run "npm ci" and "npm run build" in the root of the repository');
  process.exitCode = 1;
}

function run({ main }) {
  main(process.argv.slice(2)).then((code) => {
    process.exitCode = code;
  });
}
