// The MCP server behind every toolbox of the shared suite, on stdio.
import { serveTools } from './tools-on-stdio.mjs';

const text = (words) => ({ content: [{ type: 'text', text: words }] });
let begun = 0;
let stopped = 0;

const tools = {
  echo: {
    description: 'Says it again',
    inputSchema: { type: 'object', properties: { words: { type: 'string' } }, required: ['words'] },
    annotations: { readOnlyHint: true },
    run: ({ words }) => text(words),
  },
  whole: {
    description: 'Returns every kind of content',
    run: () => ({
      content: [
        { type: 'text', text: 'seen' },
        { type: 'image', data: 'AAEC', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'file:///a.txt', text: 'a', mimeType: 'text/plain' } },
        { type: 'resource_link', uri: 'file:///b.txt', name: 'b' },
      ],
      structuredContent: { rows: [1, { deep: null }] },
      isError: true,
      _meta: { 'example.org/mark': { of: ['the', 'server'] } },
    }),
  },
  hang: {
    description: 'Runs until it is cancelled',
    run: (_args, signal) => {
      begun++;
      return new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          stopped++;
          resolve(text('stopped'));
        }),
      );
    },
  },
  counts: { description: 'How many calls of hang began and stopped', run: () => text(`${begun} ${stopped}`) },
  grow: { description: 'Adds the tool grown', run: () => change(() => (tools.grown = tools.echo)) },
  shrink: { description: 'Removes the tool grown', run: () => change(() => delete tools.grown) },
};

function change(make) {
  make();
  server.changed();
  return text('done');
}

const server = serveTools('workshop', tools);
