#!/usr/bin/env node
// Without import statements and top-level await, so that old versions of Node run this file and show the message.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`a2c needs Node 20.19 or newer; this is Node ${process.versions.node}. Get it from https://nodejs.org`);
  process.exitCode = 1;
} else {
  import('../dist/main.js').then(
    ({ main }) =>
      main(process.argv.slice(2)).then((code) => {
        process.exitCode = code;
      }),
    (error) => {
      // A clone of the repository before the first build.
      if (error.code !== 'ERR_MODULE_NOT_FOUND' || !/[\\/]dist[\\/]/.test(error.message)) throw error;
      console.error('a2c is not built; run "npm ci" and "npm run build" in the root of the repository');
      process.exitCode = 1;
    },
  );
}
