// Two changes to the conformance suite while it is loaded. It imports `globSync`, which Node 20 does not have, for a
// command that is not used here. And it gives a server 500 to 1500 ms to answer on a stream, which a busy machine
// exceeds: it waits longer here. What it checks is not changed.
import { register } from 'node:module';

const hook = `
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.includes('/@modelcontextprotocol/conformance/dist/')) return loaded;
  const source = String(loaded.source).replace(/(setTimeout\\(\\(\\)=>\\{\\w+\\.abort\\(\\)\\},)(\\w+)\\)/, '$1$2*5)');
  const [whole, local] = /globSync as (\\w+),?/.exec(source) ?? [];
  if (!whole) return { ...loaded, source };
  const patched = source.replace(whole, '').replace(/^(#!.*\\n)?/, (line) => line + 'const ' + local + ' = () => [];');
  return { ...loaded, source: patched };
}`;

register(`data:text/javascript,${encodeURIComponent(hook)}`);
