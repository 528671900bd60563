import { a2cCommand, shellWords } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';

verifies('SEC-PASTE-01', 'names in commands for pasting are quoted, and are no options', () => {
  expect(a2cCommand('login', 'notes')).toBe('a2c login notes');
  expect(a2cCommand('tools review', 'x$(id)')).toBe("a2c tools review 'x$(id)'");
  expect(a2cCommand('tools approve', "it's", '-x')).toBe("a2c tools approve -- 'it'\\''s' -x");
  expect(shellWords(['a b', 'say "x"'], 'win32')).toBe('"a b" "say \\"x\\""');
});
