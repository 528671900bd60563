import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { differences } from './architecture.js';
import { read } from './source-tree.js';

const page = read('ARCHITECTURE.md');

verifies('HOUSE-DOCS-07', 'ARCHITECTURE.md names every folder and top-level source file, and only what exists', () => {
  expect(differences(page).join('\n'), 'add the lines with +, remove those with -').toBe('');
});

verifies('HOUSE-DOCS-07', 'a missing and a stale name are both reported', () => {
  const added = (changed: string) => differences(changed).filter((line) => !differences(page).includes(line));
  expect(added(page.replace('| `dispatcher.ts`', '| `dispatch.ts`').replace('`bench/`', 'bench'))).toEqual([
    '+ packages/server: `dispatcher.ts`',
    '- `dispatch.ts` (packages/server)',
    '+ bench/',
  ]);
  expect(added(page.replace('## Inside `packages/vrl`', '## VRL'))).toContain('+ section "## Inside `packages/vrl`"');
});
