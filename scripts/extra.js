// Runs a test suite that needs something beyond Node: `npm run test:redis`, `npm run test:interop`, `npm run test:pack`.
// What is missing is installed where that is possible; where it is not, the suite is skipped, loudly. CI never skips.
import { spawnSync } from 'node:child_process';

const SUITES = {
  redis: { needs: { 'redis-server': ['redis-server', '--version'] } },
  /** Installs what would be published, from the cache of npm as far as it goes, else from the registry. */
  pack: { byHand: true, needs: { 'a registry for npm': ['npm', 'view', 'publint', 'version'] } },
  interop: {
    needs: {
      haproxy: ['haproxy', '-v'],
      nginx: ['nginx', '-v'],
      zsh: ['zsh', '--version'],
      fish: ['fish', '--version'],
      'python3-socketio': ['/usr/bin/python3', '-c', 'import socketio'],
      'python3-requests': ['/usr/bin/python3', '-c', 'import requests'],
      'python3-websocket': ['/usr/bin/python3', '-c', 'import websocket'],
    },
  },
};

const [name] = process.argv.slice(2);
const suite = SUITES[name];
if (!suite) {
  console.error(`unknown suite "${name}"; there are: ${Object.keys(SUITES).join(', ')}`);
  process.exit(2);
}

const works = ([command, ...args]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
const missing = () =>
  Object.entries(suite.needs)
    .filter(([, check]) => !works(check))
    .map(([name]) => name);

const wanted = missing();
if (wanted.length > 0 && !suite.byHand && process.getuid?.() === 0 && works(['apt-get', '--version'])) {
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
  console.error(`\n*** SKIPPED: the ${name} tests need ${still.join(', ')}. Provide that and run again. ***\n`);
  process.exit(process.env.CI ? 1 : 0);
}

const { status } = spawnSync('npx', ['vitest', 'run'], { stdio: 'inherit', env: { ...process.env, A2C_SUITE: name } });
process.exit(status ?? 1);
