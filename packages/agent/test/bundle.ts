import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Rollup } from 'vite';

const source = (name: string) => fileURLToPath(new URL(`../../${name}/src/index.ts`, import.meta.url));

/** What a web page would load that uses these exports of the package. */
export async function bundle(exports = '*'): Promise<Rollup.OutputChunk> {
  const folder = await mkdtemp(join(tmpdir(), 'a2c-bundle-'));
  try {
    const entry = join(folder, 'page.js');
    await writeFile(entry, `export ${exports} from '@a2c/agent';\n`);
    const [built] = (await build({
      configFile: false,
      logLevel: 'silent',
      resolve: {
        alias: { '@a2c/protocol': source('protocol'), '@a2c/link': source('link'), '@a2c/agent': source('agent') },
      },
      build: { write: false, minify: false, lib: { entry, formats: ['iife'], name: 'a2c' } },
    })) as Rollup.RollupOutput[];
    return built?.output[0] as Rollup.OutputChunk;
  } finally {
    await rm(folder, { recursive: true });
  }
}
