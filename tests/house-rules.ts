/** Who may import whom: the table of ARCHITECTURE.md as data. Dependencies point down only. */
export interface HouseRule {
  /** Other packages of this house. */
  readonly packages: readonly string[];
  /** Libraries from the registry; `node:` modules are free unless `pure`. */
  readonly libraries: readonly string[];
  /** No `node:` module: nouns and rules without I/O, or code that browsers run as well. */
  readonly pure?: true;
}

const SOCKET_CLIENT = 'socket.io-client';
const MCP_CLIENT = '@modelcontextprotocol/client';
const MCP_SERVER = ['@modelcontextprotocol/server', '@modelcontextprotocol/node'];

export const HOUSE: Readonly<Record<string, HouseRule>> = {
  protocol: { packages: [], libraries: ['zod'], pure: true },
  config: { packages: [], libraries: ['zod', 'smol-toml'] },
  vrl: { packages: [], libraries: [] },
  sandbox: {
    packages: [],
    libraries: ['quickjs-emscripten-core', '@jitl/quickjs-ng-wasmfile-release-sync', '@swc/wasm-typescript'],
  },
  hub: { packages: ['protocol', 'config', 'vrl'], libraries: [MCP_CLIENT, '@cfworker/json-schema'] },
  computer: { packages: ['protocol', 'config', 'hub'], libraries: [SOCKET_CLIENT, 'pino'] },
  server: {
    packages: ['protocol'],
    libraries: [
      'socket.io',
      '@socket.io/redis-adapter',
      'ioredis',
      'jose',
      'pino',
      'prom-client',
      '@opentelemetry/api',
    ],
  },
  agent: { packages: ['protocol'], libraries: [SOCKET_CLIENT], pure: true },
  proxy: { packages: ['config', 'hub', 'agent'], libraries: [MCP_CLIENT, ...MCP_SERVER, '@toon-format/toon'] },
  console: { packages: ['protocol'], libraries: [SOCKET_CLIENT] },
  cli: {
    packages: ['protocol', 'config', 'vrl', 'hub', 'computer', 'server', 'agent', 'proxy', 'console'],
    libraries: ['commander', 'pino', '@modelcontextprotocol/server'],
  },
};
