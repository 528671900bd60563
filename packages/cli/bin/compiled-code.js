// Loads a bundled CommonJS program and keeps the code that V8 compiles for it, next to its files, for the next process:
// compiling is more than half of the CPU time of a start. Node 20 has no cache of its own for this.
const { readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire, wrap } = require('node:module');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');

const SUFFIX = `.${process.version}-${process.arch}.compiled`;

/** A process that runs this long is asked at its end whether it has compiled more: that takes some 10 ms. */
const LONG_RUN_S = 1;
const WORTH_KEEPING = 1.1;

const loaded = new Map();
const compiled = [];

/** Runs a file of the bundle once and returns what it exports. */
function load(filename) {
  const known = loaded.get(filename);
  if (known) return known.exports;
  const module = { exports: {} };
  loaded.set(filename, module);
  const folder = dirname(filename);
  const requireOther = createRequire(filename);
  const requireAny = (id) => (id.startsWith('./') ? load(join(folder, id)) : requireOther(id));
  compile(filename).call(module.exports, module.exports, requireAny, module, filename, folder);
  return module.exports;
}

/** The function that Node wraps around a CommonJS file. */
function compile(filename) {
  const file = filename + SUFFIX;
  const cachedData = keptCode(file);
  const source = wrap(readFileSync(filename, 'utf8').replace(/^#!.*/, ''));
  const script = new Script(source, { filename, cachedData });
  // V8 compares the version and the length of the source only: the name of a file that is kept contains a hash of it.
  if (!script.cachedDataRejected && /-[\w-]{8}\.js$/.test(filename)) {
    compiled.push({ file, script, keptBytes: cachedData?.length ?? 0 });
  }
  return script.runInThisContext();
}

function keptCode(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined; // Not kept yet.
  }
}

/**
 * Also replaces what is kept by more: a short command, such as the help of a command, has called few functions of a
 * file that others use.
 */
function keep() {
  const isLong = process.uptime() > LONG_RUN_S;
  for (const { file, script, keptBytes } of compiled.splice(0)) {
    if (keptBytes > 0 && !isLong) continue;
    const code = script.createCachedData();
    if (code.length < keptBytes * WORTH_KEEPING) continue;
    const unfinished = `${file}.${process.pid}`;
    try {
      writeFileSync(unfinished, code);
      renameSync(unfinished, file);
    } catch {
      // The folder is read-only for this user, or the disk is full: the next start compiles again.
      return rmSync(unfinished, { force: true });
    }
  }
}

// At the end, so that it includes the functions that the program called.
process.on('exit', keep);

exports.load = load;
exports.keep = keep;
