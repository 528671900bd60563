/** Allowed imports: the table of ARCHITECTURE.md as data. Dependencies point down only. */
export interface HouseRule {
  /** Other packages of this repository. */
  readonly packages: readonly string[];
  /** Libraries from the registry. `node:` modules are allowed unless `pure`. */
  readonly libraries: readonly string[];
  /** No `node:` modules: code without I/O, or code that also runs in browsers. */
  readonly pure?: true;
}

const SOCKET_CLIENT = 'socket.io-client';
const MCP_CLIENT = '@modelcontextprotocol/client';
const MCP_SERVER = ['@modelcontextprotocol/server', '@modelcontextprotocol/node'];

export const HOUSE: Readonly<Record<string, HouseRule>> = {
  protocol: { packages: [], libraries: ['zod'], pure: true },
  log: { packages: [], libraries: ['pino'] },
  link: { packages: ['protocol'], libraries: [SOCKET_CLIENT], pure: true },
  config: { packages: ['protocol'], libraries: ['zod', 'smol-toml'] },
  vrl: { packages: [], libraries: [] },
  sandbox: {
    packages: [],
    libraries: ['quickjs-emscripten-core', '@jitl/quickjs-ng-wasmfile-release-sync', '@swc/wasm-typescript', 'acorn'],
  },
  login: { packages: ['config'], libraries: [MCP_CLIENT, '@napi-rs/keyring'] },
  hub: {
    packages: ['protocol', 'config', 'vrl', 'login'],
    libraries: [MCP_CLIENT, '@cfworker/json-schema', 'cross-spawn'],
  },
  computer: { packages: ['protocol', 'log', 'link', 'config', 'hub'], libraries: ['yaml'] },
  server: {
    packages: ['protocol', 'log'],
    libraries: [
      'socket.io',
      'socket.io-parser',
      'engine.io',
      '@socket.io/redis-adapter',
      'ioredis',
      'jose',
      'prom-client',
      '@opentelemetry/api',
    ],
  },
  agent: { packages: ['protocol', 'link'], libraries: [], pure: true },
  proxy: {
    packages: ['protocol', 'config', 'hub', 'agent', 'sandbox'],
    libraries: [MCP_CLIENT, ...MCP_SERVER, '@toon-format/toon'],
  },
  console: { packages: ['protocol'], libraries: ['preact', '@preact/signals'] },
  cli: {
    packages: ['protocol', 'log', 'config', 'vrl', 'login', 'hub', 'computer', 'server', 'agent', 'proxy', 'console'],
    libraries: ['commander', '@modelcontextprotocol/server'],
  },
};
