// The bundled demo server, with compiled code that is kept like that of the command.
require('./compiled-code.js').load(require('node:path').join(__dirname, '../dist/bundle/demo-server.js'));
