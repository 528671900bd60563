// Loads a bundled CommonJS program and keeps the code that V8 compiles for it, so that the next process of the same
// program needs not compile it again. Compiling is more than half of the CPU time of a start. Node 20 has no cache of
// its own for this.
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname } = require('node:path');
const { Script } = require('node:vm');

const compiled = [];

/** The one module that is not bundled: kept code cannot import. */
const NOT_BUNDLED = /\bimport\((["']@napi-rs\/keyring["'])\)/g;

function cached(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

const { _compile: compileWithoutCache } = Module.prototype;

Module.prototype._compile = function compile(source, filename) {
  if (!filename.includes('.a2c-commands-')) return compileWithoutCache.call(this, source, filename);
  const file = `${filename}.compiled`;
  const cachedData = cached(file);
  const loadable = source.replace(/^#!.*/, '').replace(NOT_BUNDLED, 'Promise.resolve().then(() => require($1))');
  const script = new Script(Module.wrap(loadable), { filename, cachedData });
  if (cachedData === undefined) compiled.push({ file, script });
  const require = Object.assign((id) => this.require(id), { main: process.mainModule, cache: Module._cache });
  require.resolve = (id) => Module._resolveFilename(id, this);
  return script.runInThisContext().call(this.exports, this.exports, require, this, filename, dirname(filename));
};

// At the end, so that it includes the functions that the program called.
process.on('exit', () => {
  for (const { file, script } of compiled) {
    try {
      writeFileSync(`${file}.${process.pid}`, script.createCachedData());
      renameSync(`${file}.${process.pid}`, file);
    } catch {
      // The folder is read-only for this process, or the tests have ended.
    }
  }
});

exports.load = (program) => require(program);
