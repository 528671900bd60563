import { fileURLToPath } from 'node:url';
import { build, type Rollup } from 'vite';

const source = (name: string) => fileURLToPath(new URL(`../../${name}/src/index.ts`, import.meta.url));

/** The package as a web page would load it. */
export async function bundle(): Promise<Rollup.OutputChunk> {
  const [built] = (await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { alias: { '@a2c/protocol': source('protocol'), '@a2c/link': source('link') } },
    build: { write: false, minify: false, lib: { entry: source('agent'), formats: ['iife'], name: 'a2c' } },
  })) as Rollup.RollupOutput[];
  return built?.output[0] as Rollup.OutputChunk;
}
