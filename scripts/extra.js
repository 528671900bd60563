// Runs what needs more than Node: `npm run test:redis`, `test:interop`, `test:browser`, `test:pack`, `test:long`;
// `npm run test:interop -- --rust`; `npm run chaos`, with its options.
// Installs missing programs if possible. Otherwise it skips the suite with a clear message; in CI it fails instead.
import { spawnSync } from 'node:child_process';

const SUITES = {
  /** Takes minutes: on demand, not in CI. */
  long: { needs: {} },
  redis: { needs: { 'redis-server': ['redis-server', '--version'] } },
  /** Linux only: it reads /proc. `util-linux` has `prlimit`. */
  chaos: {
    command: [process.execPath, 'chaos/dist/run.js'],
    needs: {
      'redis-server': ['redis-server', '--version'],
      haproxy: ['haproxy', '-v'],
      'util-linux': ['prlimit', '--version'],
    },
  },
  /** Installs the packed packages and their dependencies, from the npm cache or the registry. */
  pack: { notInstallable: true, needs: { 'a registry for npm': ['npm', 'view', 'publint', 'version'] } },
  /** Debian's package has this name. Set CHROMIUM to use another program. */
  browser: { needs: { chromium: [process.env.CHROMIUM ?? 'chromium', '--version'] } },
  /** `npm run test:interop -- --rust`: builds the published crates, which takes about 15 minutes; not in CI. */
  rust: {
    needs: {
      cargo: ['cargo', '--version'],
      'pkg-config': ['pkg-config', '--version'],
      'libdbus-1-dev': ['pkg-config', 'dbus-1'],
    },
  },
  interop: {
    needs: {
      bubblewrap: ['bwrap', '--ro-bind', '/', '/', 'true'],
      haproxy: ['haproxy', '-v'],
      'redis-server': ['redis-server', '--version'],
      nginx: ['nginx', '-v'],
      zsh: ['zsh', '--version'],
      fish: ['fish', '--version'],
      'gnome-keyring': ['gnome-keyring-daemon', '--version'],
      'dbus-daemon': ['dbus-run-session', '--version'],
      'python3-socketio': ['/usr/bin/python3', '-c', 'import socketio'],
      'python3-requests': ['/usr/bin/python3', '-c', 'import requests'],
      'python3-websocket': ['/usr/bin/python3', '-c', 'import websocket'],
      'python3-venv': ['python3', '-c', 'import ensurepip'],
    },
  },
};

const [suiteName, ...options] = process.argv.slice(2);
const name = options[0] === '--rust' ? 'rust' : suiteName;
const suite = SUITES[name];
if (!suite) {
  console.error(`unknown suite "${name}"; known suites: ${Object.keys(SUITES).join(', ')}`);
  process.exit(2);
}

const works = ([command, ...args]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
const missing = () =>
  Object.entries(suite.needs)
    .filter(([, check]) => !works(check))
    .map(([name]) => name);

const wanted = missing();
if (wanted.length > 0 && !suite.notInstallable && process.getuid?.() === 0 && works(['apt-get', '--version'])) {
  console.error(`installing ${wanted.join(', ')}`);
  const install = () =>
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...wanted], { stdio: 'ignore' }).status;
  if (install() !== 0) {
    spawnSync('apt-get', ['update'], { stdio: 'ignore' });
    install();
  }
}

const still = missing();
if (still.length > 0) {
  console.error(
    `\n*** SKIPPED: the ${name} tests need ${still.join(', ')}. Install what is missing and run again. ***\n`,
  );
  process.exit(process.env.CI ? 1 : 0);
}

// Node reads the file of this variable at every start, which takes longer than the start. Only npm needs it.
const { NODE_EXTRA_CA_CERTS: authorities, ...env } = process.env;
if (authorities !== undefined) env.npm_config_cafile ??= authorities;
const [command, ...args] = suite.command ? [...suite.command, ...options] : ['npx', 'vitest', 'run'];
const { status } = spawnSync(command, args, { stdio: 'inherit', env: { ...env, A2C_SUITE: name } });
process.exit(status ?? 1);
