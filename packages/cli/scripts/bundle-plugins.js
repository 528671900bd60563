// Plugins for CommonJS bundles of which the compiled code is kept (bin/compiled-code.js).
import { isBuiltin } from 'node:module';

/** Kept code cannot import: what is not bundled is required. */
export const noImports = {
  name: 'no-imports',
  renderChunk: (code) => code.replace(/\bimport\(("[\w@][^"]*")\)/g, 'Promise.resolve().then(() => require($1))'),
};

/** Chunks that many modules import and that a start does not need, with the modules that use them at once. */
export const LATE = { sdk_client: /@modelcontextprotocol.client|hub.dist.clients.(client-handlers|explain-failure)/ };

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
