import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { differences } from './architecture.js';
import { read } from './source-tree.js';

const page = read('ARCHITECTURE.md');

verifies('HOUSE-DOCS-07', 'ARCHITECTURE.md names every folder and top-level source file, and only what exists', () => {
  expect(differences(page).join('\n'), 'add the lines with +, remove those with -').toBe('');
});

verifies('HOUSE-DOCS-07', 'a missing and a stale name are both reported', () => {
  const changed = page.replace('| `dispatcher.ts`', '| `dispatch.ts`').replace('`bench/`', 'bench');
  expect(differences(changed)).toEqual([
    '+ packages/server: `dispatcher.ts`',
    '- `dispatch.ts` (packages/server)',
    '+ bench/',
  ]);
  const cut = page.replace('## Inside `packages/vrl`', '## VRL');
  expect(differences(cut)).toContain('+ section "## Inside `packages/vrl`"');
});
