// Compares the protocol that a2c speaks with the newest published SDKs: `npm run check:protocol`. Ends with 1 when a
// registry has a newer generation, and with 2 when a registry cannot be asked.
import { spawnSync } from 'node:child_process';
import { PROTOCOL_VERSION } from '../packages/protocol/dist/index.js';

const REGISTRIES = [
  {
    name: 'PyPI a2c-smcp',
    command: ['python3', '-m', 'pip', 'index', 'versions', 'a2c-smcp'],
    version: /^a2c-smcp \((\d+\.\d+\.\d+)\)/m,
  },
  { name: 'crates.io smcp-agent', command: ['cargo', 'info', 'smcp-agent'], version: /^version: (\d+\.\d+\.\d+)/m },
];

/** The generation of a version: one number for major and minor. */
const generation = (version) => {
  const [major, minor] = version.split('.').map(Number);
  return major * 1_000 + minor;
};

let status = 0;
for (const { name, command, version } of REGISTRIES) {
  const { stdout, stderr, error } = spawnSync(command[0], command.slice(1), { encoding: 'utf8', timeout: 120_000 });
  const published = version.exec(stdout ?? '')?.[1];
  if (published === undefined) {
    console.error(`${name}: cannot be asked: ${error?.message ?? stderr.trim().split('\n').at(-1)}`);
    status ||= 2;
  } else if (generation(published) > generation(PROTOCOL_VERSION)) {
    console.error(`${name}: ${published} is newer than the protocol ${PROTOCOL_VERSION} of a2c`);
    status = 1;
  } else console.log(`${name}: ${published}; a2c speaks ${PROTOCOL_VERSION}`);
}
process.exitCode = status;
