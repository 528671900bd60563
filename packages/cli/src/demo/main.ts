// The program `a2c up` hosts when it is given no configuration.
import { serveDemo } from './server.js';

await serveDemo();
process.exit(0);
