// Loads a bundled CommonJS program and keeps the code that V8 compiles for it, so that the next process of the same
// program needs not compile it again. Compiling is more than half of the CPU time of a start. Node 20 has no cache of
// its own for this.
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname } = require('node:path');
const { constants, Script } = require('node:vm');

const compiled = [];

function cached(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

Module.prototype._compile = function compile(source, filename) {
  const file = `${filename}.compiled`;
  const cachedData = cached(file);
  const script = new Script(Module.wrap(source.replace(/^#!.*/, '')), {
    filename,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (cachedData === undefined) compiled.push({ file, script });
  const require = Object.assign((id) => this.require(id), { main: process.mainModule, cache: Module._cache });
  require.resolve = (id) => Module._resolveFilename(id, this);
  script.runInThisContext().call(this.exports, this.exports, require, this, filename, dirname(filename));
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
