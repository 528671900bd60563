import { oneLine } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';

verifies('SEC-TEXT-01', 'a carriage return cannot move what follows over the beginning of the line', () => {
  expect(oneLine('evil\r\nharmless\rx\ty')).toBe('evil\\r\\nharmless\\u000dx\\ty');
});
