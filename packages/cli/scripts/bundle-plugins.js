// Plugins for CommonJS bundles of which the compiled code is kept (bin/compiled-code.js).
import { isBuiltin } from 'node:module';

/** Kept code cannot import: what is not bundled is required. */
export const noImports = {
  name: 'no-imports',
  renderChunk: (code) => code.replace(/\bimport\(("[\w@][^"]*")\)/g, 'Promise.resolve().then(() => require($1))'),
};

/** Chunks that many modules import and that a start does not need, with the modules that use them at once. */
export const LATE = {
  sdk_client: /@modelcontextprotocol.client|hub.dist.clients.(client-handlers|explain-failure)/,
  wire_schemas: /protocol.dist.(request-schemas|answer-schemas|parse|operator.requests)\.js/,
  hub_http: /hub.dist.transports.http/,
  tool_search: /proxy.dist.search.(?!words|stem)/,
};

/** What every command loads first, in one file. */
export const START = /cli.dist.(run|exit-codes|installed|process-signals)\.js|node_modules.commander/;

/**
 * V8 keeps a text with one byte per character if all are ASCII, otherwise with two. Node copies it to wrap it, and it
 * stays in memory for functions that are compiled later.
 */
export const onlyAscii = {
  name: 'only-ascii',
  // After Vite has printed the code for the last time.
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle).filter(({ type }) => type === 'chunk')) {
      if (BACKSLASH_BEFORE.test(chunk.code)) throw new Error(`${chunk.fileName}: cannot be written in ASCII`);
      chunk.code = chunk.code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${hex(unit)}`);
    }
  },
};

/** An escape would change its meaning. */
const BACKSLASH_BEFORE = /(?<!\\)(?:\\\\)*\\[^\0-\x7f]/;
const hex = (unit) => unit.charCodeAt(0).toString(16).padStart(4, '0');

/** Such a chunk, and a module of Node, is loaded when one of its exports is used for the first time. */
export const loadedWhenUsed = {
  name: 'loaded-when-used',
  renderChunk(code) {
    const late = `require_(?:${Object.keys(LATE).join('|')})`;
    const statement = new RegExp(`^(\\t?)(?:const|let|var) (${late}|\\w+) = (require\\("(.*)"\\));$`, 'gm');
    return code.replace(statement, (whole, indent, variable, load, id) => {
      if (!new RegExp(`^${late}$`).test(variable) && !isBuiltin(id)) return whole;
      const uses = Array.from(code.matchAll(new RegExp(`(?<![\\w$.])${variable}\\b(?:\\.([\\w$]+))?`, 'g')));
      const names = new Set(uses.map(([, name]) => name));
      // More than its exports is used, if not only in the statements that declare it.
      const declared = code.match(new RegExp(`(?:const|let|var) ${variable} = require\\(`, 'g')).length;
      if (uses.filter(([, name]) => name === undefined).length > declared) return whole;
      names.delete(undefined);
      const getter = (name) => `get ${name}() { return (${variable} = ${load}).${name} }`;
      return `${indent}let ${variable} = {${Array.from(names, getter).join(', ')}};`;
    });
  },
};
