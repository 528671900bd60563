// What people use instead of a2c: where each is installed from, and how it is started. Installed on first use into the
// user's cache folder; one that cannot be installed is a row of the tables that says why.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LIMITS } from './load.js';

const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'a2c-bench');
const INSTALL_MS = 180_000;
const root = fileURLToPath(new URL('..', import.meta.url));
const A2C = join(root, 'packages/cli/bin/a2c.js');
const raw = fileURLToPath(new URL('raw-upstream.js', import.meta.url));

/** The tools of the server behind every door. */
const TOOLS = 100;
export const RAW = [process.execPath, raw, String(TOOLS)];
const quoted = RAW.map((part) => `"${part}"`).join(' ');

/** Our server without limits, as the other one has none. */
const OWN_SERVER = `
import { allowAnonymous, listen } from '@a2c/server';
const logger = { debug() {}, info() {}, warn() {}, error() {} };
await listen({ authenticate: allowAnonymous, logger, port: Number(process.argv[1]), limits: ${JSON.stringify(LIMITS)} });
`;

/** The server of the SDK, as its documentation starts it. */
const SMCP_SERVER = `
import logging, sys, socketio, uvicorn
from a2c_smcp.server import SMCPNamespace, middleware
from a2c_smcp.server.auth import AuthenticationProvider
class AllowAll(AuthenticationProvider):
    async def authenticate(self, sio, environ, auth, headers): return True
    async def get_agent_id(self, *args, **kwargs): return 'agent'
sio = socketio.AsyncServer(async_mode='asgi', cors_allowed_origins='*')
sio.register_namespace(SMCPNamespace(AllowAll()))
app = middleware.A2CProtocolVersionASGIMiddleware(socketio.ASGIApp(sio), socketio_path='/socket.io')
logging.disable(logging.WARNING)
uvicorn.run(app, host='127.0.0.1', port=int(sys.argv[1]), log_level='error')
`;

const npm = (name, version = 'latest') => ({ name, from: 'npm', spec: `${name}@${version}` });
const python = (name) => ({ name, from: 'PyPI', spec: name });
const own = { name: 'a2c', from: 'this repository' };

/** Programs that serve MCP over HTTP in front of a server on stdio. `command` gets a port and a configuration file. */
export const DOORS = [
  {
    ...own,
    title: 'a2c proxy --pass-through',
    command: (port, config) => [process.execPath, A2C, 'proxy', '--pass-through', '--config', config, '--http', port],
  },
  {
    ...own,
    title: 'a2c proxy (inspect and exec)',
    command: (port, config) => [process.execPath, A2C, 'proxy', '--config', config, '--http', port],
  },
  {
    ...npm('supergateway'),
    command: (port) => [
      ...[process.execPath, bin('supergateway'), '--stdio', quoted, '--outputTransport', 'streamableHttp'],
      ...['--stateful', '--logLevel', 'none', '--port', port],
    ],
  },
  {
    ...npm('mcp-proxy'),
    command: (port) => [
      ...[process.execPath, bin('mcp-proxy'), '--host', '127.0.0.1', '--port', port, '--server', 'stream', '--'],
      ...RAW,
    ],
  },
  {
    ...python('mcp-proxy'),
    command: (port) => [script('mcp-proxy', 'mcp-proxy'), '--host', '127.0.0.1', '--port', port, '--', ...RAW],
  },
  {
    ...python('fastmcp'),
    command: (port, config) => [
      ...[script('fastmcp', 'fastmcp'), 'run', config, '--transport', 'http', '--port', port, '--no-banner'],
      ...['--log-level', 'ERROR'],
    ],
  },
  { ...npm('@1mcp/agent'), command: (port, config) => [bin('1mcp'), 'serve', '--port', port, '--config', config] },
];

/** Signalling servers. */
export const RELAYS = [
  { ...own, command: (port) => [process.execPath, '--input-type=module', '--eval', OWN_SERVER, port] },
  { ...python('a2c-smcp'), command: (port) => [script('a2c-smcp', 'python'), '-c', SMCP_SERVER, port] },
];

/** Programs that make one call and end. `command` gets the configuration file. */
export const ONE_SHOT = [
  {
    ...own,
    title: 'a2c mcp call',
    command: () => [process.execPath, A2C, 'mcp', 'call', '--stdio', quoted, 'echo', 'message=hello'],
  },
  {
    // Newer versions need Node 24.
    ...npm('mcporter', '0.9.0'),
    title: 'mcporter call',
    command: () => [process.execPath, bin('mcporter'), 'call', '--stdio', quoted, 'echo', 'message=hello'],
  },
  {
    ...python('fastmcp'),
    title: 'fastmcp call',
    command: (config) => [script('fastmcp', 'fastmcp'), 'call', config, 'echo', 'message=hello'],
  },
];

function folderOf({ name, from }) {
  return join(CACHE, `${from === 'npm' ? 'npm' : 'py'}-${name.replaceAll('/', '+')}`);
}

function bin(name) {
  return join(folderOf({ name, from: 'npm' }), 'node_modules/.bin', name);
}

function script(name, file) {
  return join(folderOf({ name, from: 'PyPI' }), 'bin', file);
}

/** Installs a program unless the cache has it. Returns its version and megabytes, or why it cannot be installed. */
export function install(peer) {
  if (peer.from === own.from) return ownInstall();
  const folder = folderOf(peer);
  if (!existsSync(folder)) {
    const temporary = `${folder}.${process.pid}`;
    mkdirSync(temporary, { recursive: true });
    const failure = peer.from === 'npm' ? npmInstall(temporary, peer.spec) : pythonInstall(folder, peer.spec);
    if (failure) {
      for (const left of [temporary, folder]) rmSync(left, { recursive: true, force: true });
      return { missing: `not installed: ${failure}` };
    }
    if (peer.from === 'npm') renameSync(temporary, folder);
    else rmSync(temporary, { recursive: true });
  }
  return { version: versionIn(folder, peer), megabytes: (bytesIn(folder) / 1e6).toFixed(0) };
}

/** The packages as they are published, with what they depend on. */
function ownInstall() {
  const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'));
  // Another build, another folder: its name has the size of what was built.
  const built = bytesIn(join(root, 'packages'), (path) => path.includes('/dist'));
  const folder = join(CACHE, `a2c-${built}`);
  if (existsSync(folder)) return { version, megabytes: (bytesIn(folder) / 1e6).toFixed(0) };
  mkdirSync(folder, { recursive: true });
  const packed = run('npm', ['run', '--silent', 'pack'], root);
  const tarballs = readdirSync(join(root, 'tarballs')).map((file) => join(root, 'tarballs', file));
  const failure = packed ?? npmInstall(folder, ...tarballs);
  if (failure) {
    rmSync(folder, { recursive: true });
    throw new Error(failure);
  }
  return { version, megabytes: (bytesIn(folder) / 1e6).toFixed(0) };
}

function npmInstall(folder, ...specs) {
  writeFileSync(join(folder, 'package.json'), '{}');
  return run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...specs], folder);
}

function pythonInstall(folder, spec) {
  return (
    run('python3', ['-m', 'venv', folder], CACHE) ??
    run(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', spec], CACHE)
  );
}

/** Returns why the command failed; undefined if it did not. */
function run(command, args, cwd) {
  const { status, error, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: INSTALL_MS });
  if (status === 0) return undefined;
  if (/E404|No matching distribution/.test(stderr ?? '')) return 'not in the registry';
  return error?.code === 'ENOENT' ? `no ${command}` : 'the installation failed';
}

function versionIn(folder, { name, from }) {
  if (from === 'npm')
    return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
  const { stdout } = spawnSync(join(folder, 'bin/pip'), ['show', name], { encoding: 'utf8' });
  return /^Version: (.+)$/m.exec(stdout)[1];
}

function bytesIn(folder, isCounted = () => true) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const counted = files.filter(({ parentPath, path }) => isCounted(parentPath ?? path));
  return counted.reduce((sum, { parentPath, path, name }) => sum + statSync(join(parentPath ?? path, name)).size, 0);
}
