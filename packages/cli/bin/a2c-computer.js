#!/usr/bin/env node
// `a2c-computer …` is `a2c computer …`. As in a2c.js, old versions of Node must be able to run this file.
if (!['--version', '-V'].includes(process.argv[2])) process.argv.splice(2, 0, 'computer');
require('./a2c.js');
