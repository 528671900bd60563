import { readFileSync } from 'node:fs';

/** Ours alone, or with the versions of what we stand on and speak, which a bug report needs. */
export async function printVersion(json: boolean): Promise<void> {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  if (!json) {
    process.stdout.write(`${manifest.version}\n`);
    return;
  }
  const [{ PROTOCOL_NAME, PROTOCOL_VERSION }, { MCP_VERSIONS }] = await Promise.all([
    import('@a2c/protocol'),
    import('@a2c/hub'),
  ]);
  const versions = {
    a2c: manifest.version,
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    protocol: { name: PROTOCOL_NAME, version: PROTOCOL_VERSION },
    mcp: MCP_VERSIONS,
  };
  process.stdout.write(`${JSON.stringify(versions, null, 2)}\n`);
}
