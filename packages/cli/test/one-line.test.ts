import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { oneLine } from '../src/output.js';

verifies('SEC-TEXT-01', 'a carriage return cannot move what follows over the beginning of the line', () => {
  expect(oneLine('evil\r\nharmless\rx\ty')).toBe('evil\\r\\nharmless\\u000dx\\ty');
});
