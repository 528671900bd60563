import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { atEnd, DOORS, enter } from './doors.js';
import { proxyOver } from './hub-over.js';
import { directly, everything, filesystem } from './real-servers.js';

verifies(
  ['MCPX-PARITY-01', 'MCPX-RESULT-04', 'MCPX-ERROR-05'],
  'the same calls to real servers, directly and through exec, give the same content',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'a2c-parity-'));
    atEnd(() => rmSync(folder, { recursive: true }));
    writeFileSync(
      join(folder, 'rows.json'),
      `${JSON.stringify(
        Array.from({ length: 9 }, (_, id) => ({ id, name: `n${id}` })),
        null,
        2,
      )}\n`,
    );
    const calls: readonly (readonly [string, string, Record<string, unknown>])[] = [
      ['everything', 'echo', { message: '{"a": [1, 2]}' }],
      ['everything', 'get-sum', { a: 1.5, b: 2 }],
      ['everything', 'get-tiny-image', {}],
      ['everything', 'get-annotated-message', { messageType: 'error', includeImage: true }],
      ['everything', 'get-resource-links', { count: 3 }],
      ['everything', 'get-resource-reference', { resourceType: 'Text', resourceId: 1 }],
      ['everything', 'get-structured-content', { location: 'New York' }],
      ['filesystem', 'read_text_file', { path: join(folder, 'rows.json') }],
      ['filesystem', 'list_directory', { path: folder }],
      ['filesystem', 'read_text_file', { path: '/etc/passwd' }],
    ];
    const specs = [everything(), filesystem(folder)];
    const proxied = await enter(await proxyOver(...specs), DOORS[0]);
    for (const spec of specs) {
      const direct = await directly(spec);
      for (const [server_name, tool_name, args] of calls.filter(([server]) => server === spec.name)) {
        const expected = await direct.callTool({ name: tool_name, arguments: args });
        const through = await proxied.callTool({
          name: 'exec',
          arguments: { server_name, tool_name, arguments: args },
        });
        expect({ ...through, content: timeless(through) }, tool_name).toEqual({
          ...expected,
          content: timeless(expected),
        });
      }
    }
  },
);

/** Some resources contain the time of their creation. */
function timeless({ content }: { content: unknown }): unknown {
  return JSON.parse(JSON.stringify(content).replaceAll(/\d{1,2}:\d\d:\d\d [AP]M/g, 'now'));
}
