// An MCP server whose resources are in the variable SHELF, as JSON: `[{uri, name?, _meta?, text?, blob?}]`, or in the
// file that it names after `@`. The variable SHELF_PAGE is the size of a page; with SHELF_SILENT, no resource is sent.
// Its tool `put` replaces the resources.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const given = process.env.SHELF ?? '[]';
let shelf = JSON.parse(given.startsWith('@') ? readFileSync(given.slice(1), 'utf8') : given);
const pageSize = Number(process.env.SHELF_PAGE ?? 100);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, ...(process.env.SHELF_NONE ? {} : { resources: { listChanged: true } }) },
    serverInfo: { name: 'shelf', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'put', inputSchema: { type: 'object' } }] }),
  'tools/call': ({ arguments: { resources } }) => {
    shelf = resources;
    send({ method: 'notifications/resources/list_changed' });
    return { content: [] };
  },
  'resources/list': ({ cursor = '0' } = {}) => {
    const start = Number(cursor);
    const resources = shelf
      .slice(start, start + pageSize)
      .map(({ text, blob, ...about }) => ({ name: about.uri, ...about }));
    const next = start + pageSize;
    return { resources, ...(next < shelf.length && { nextCursor: String(next) }) };
  },
  'resources/read': ({ uri }) => {
    const found = shelf.find((resource) => resource.uri === uri);
    if (!found) throw new Error(`no resource ${uri}`);
    const { name, _meta, size, annotations, description, ...content } = found;
    return { contents: [content] };
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || (process.env.SHELF_SILENT && method === 'resources/read')) return;
  try {
    if (!METHODS[method]) send({ id, error: { code: -32601, message: 'no such method' } });
    else send({ id, result: METHODS[method](params ?? {}) });
  } catch (error) {
    send({ id, error: { code: -32002, message: error.message } });
  }
});
