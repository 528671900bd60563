import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Agent } from '@a2c/agent';
import { Computer, OfficeLink } from '@a2c/computer';
import { verifies } from '@a2c/requirements';
import { allowAnonymous, apiKey, listen } from '@a2c/server';
import { expect, onTestFinished } from 'vitest';
import { OWN } from './sdk/own-roles.js';
import { SDK_VERSIONS, type SdkVersion, sdkProcesses } from './sdk/peers.js';
import type { Maker } from './sdk/roles.js';
import { sdkMaker } from './sdk/sdk-roles.js';

const sdkOf = sdkProcesses();

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const TOOLS = [process.execPath, fileURLToPath(new URL('sdk/tools-server.mjs', import.meta.url))];
const SECRET = 'right-secret';

async function ourServer(authenticate = allowAnonymous): Promise<string> {
  const listening = await listen({ authenticate, port: 0, logger: quiet });
  onTestFinished(() => listening.close());
  return listening.url;
}

/** Who `joined`, or was `refused`. */
const outcome = (who: string, work: Promise<unknown>): Promise<string> =>
  work.then(
    () => `${who}: joined`,
    () => `${who}: refused`,
  );

async function ourAgent(url: string, secret: string): Promise<void> {
  const agent = await Agent.connect({ url, office: randomUUID(), name: randomUUID(), apiKey: secret });
  await agent.close();
}

async function ourComputer(url: string, secret: string): Promise<void> {
  const computer = new Computer({ name: randomUUID(), logger: quiet });
  const link = new OfficeLink(computer, { url, apiKey: secret, logger: quiet });
  const office = randomUUID();
  try {
    await computer.boot();
    await link.connect(office);
    await link.joinOffice(office);
  } finally {
    link.disconnect();
    await computer.close();
  }
}

verifies(
  'GEN-INTEROP-04',
  'each generation sends and reads credentials where the other expects them',
  async () => {
    const ours = await ourServer(apiKey(SECRET));
    const check = async (version: SdkVersion) => {
      const sdk = sdkOf(version);
      const theirs = `http://127.0.0.1:${await sdk.ask<number>('server', { secret: SECRET })}`;
      const theirAgent = (secret: string) =>
        sdk.ask('agent', { key: randomUUID(), url: ours, office: randomUUID(), name: randomUUID(), secret });
      const theirComputer = async (secret: string) => {
        const key = randomUUID();
        const setup = { name: randomUUID(), folder: null, stdio: [], tools: TOOLS, http: {} };
        await sdk.ask('computer', { key, ...setup });
        await sdk.ask('join', { key, url: ours, office: randomUUID(), secret });
      };
      const outcomes = (secret: string) =>
        Promise.all([
          outcome('our Agent', ourAgent(theirs, secret)),
          outcome('our Computer', ourComputer(theirs, secret)),
          outcome('their Agent', theirAgent(secret)),
          outcome('their Computer', theirComputer(secret)),
        ]);
      const all = (text: string) =>
        ['our Agent', 'our Computer', 'their Agent', 'their Computer'].map((who) => `${who}: ${text}`);
      const [right, wrong] = await Promise.all([outcomes(SECRET), outcomes('wrong')]);
      expect(right, version).toEqual(all('joined'));
      expect(wrong, version).toEqual(all('refused'));
    };
    await Promise.all(SDK_VERSIONS.map(check));
  },
  { timeout: 900_000 },
);

const IMAGE_BYTES = 15_000_000;
/** Agents of 0.1 have no blobs and end the connection on a message over 4 MiB. */
const WITH_BLOBS = SDK_VERSIONS.filter((version): version is SdkVersion => version !== '0.1.6');

verifies(
  'GEN-INTEROP-05',
  'an image of 15 MB arrives whole, from our Computer and from theirs',
  async () => {
    const url = await ourServer();
    const check = async (agent: Maker, computer: Maker) => {
      const office = randomUUID();
      const setup = { name: `pc ${office}`, folder: null, stdio: ['my tools'], tools: TOOLS, http: {} };
      const pc = await computer.computer(setup);
      await pc.join(url, office);
      const role = await agent.agent(url, office, `agent ${office}`);
      const names = await role.tools(setup.name);
      const picture = names.find((name) => name.endsWith('picture')) ?? '';
      const { content } = await role.call(setup.name, picture, { size: IMAGE_BYTES }, 240);
      const size = Buffer.from(content[0]?.data ?? '', 'base64').length;
      expect(size, `${agent.version} ${computer.version}: ${content[0]?.text}`).toBe(IMAGE_BYTES);
      await role.stop();
      await pc.stop();
    };
    await Promise.all(
      WITH_BLOBS.map((version) => sdkMaker(sdkOf(version))).flatMap((theirs) => [
        check(theirs, OWN),
        check(theirs, theirs),
        check(OWN, theirs),
      ]),
    );
  },
  { timeout: 900_000 },
);
