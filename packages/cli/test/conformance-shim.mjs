// The conformance suite imports `globSync`, which Node 20 does not have, for a command that is not used here.
import { register } from 'node:module';

const hook = `
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.includes('/@modelcontextprotocol/conformance/dist/')) return loaded;
  const source = String(loaded.source);
  const [whole, local] = /globSync as (\\w+),?/.exec(source) ?? [];
  if (!whole) return loaded;
  const patched = source.replace(whole, '').replace(/^(#!.*\\n)?/, (line) => line + 'const ' + local + ' = () => [];');
  return { ...loaded, source: patched };
}`;

register(`data:text/javascript,${encodeURIComponent(hook)}`);
