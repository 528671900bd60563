import { readFileSync } from 'node:fs';

interface Manifest {
  readonly version: string;
}

/** The version of a2c, from the package manifest. */
export const VERSION = (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as Manifest)
  .version;

/** Prints the version; as JSON with the versions of Node, the platform and the protocols, for bug reports. */
export async function printVersion(json: boolean): Promise<void> {
  if (!json) {
    process.stdout.write(`${VERSION}\n`);
    return;
  }
  const [{ PROTOCOL_NAME, PROTOCOL_VERSION }, { MCP_VERSIONS }] = await Promise.all([
    import('@a2c/protocol'),
    import('@a2c/hub'),
  ]);
  const versions = {
    a2c: VERSION,
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    protocol: { name: PROTOCOL_NAME, version: PROTOCOL_VERSION },
    mcp: MCP_VERSIONS,
  };
  process.stdout.write(`${JSON.stringify(versions, null, 2)}\n`);
}
