import { visibleText } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';

verifies('SEC-TEXT-01', 'hidden characters are escaped as in JSON, and what people type stays', () => {
  const hidden = ['\u0000', '\u001b', '\u007f', '\u009b', '\u00ad', '\u200b', '\u200d', '\u202e', '\u2028', '\u2066'];
  hidden.push('\u2800', '\u3164', '\ue000', '\ufeff', '\u{e0041}', '\ud800', '\r');
  for (const character of hidden) {
    const shown = visibleText(`a${character}b`);
    expect(shown).toMatch(/^a(\\u[\da-f]{4})+b$/);
    expect(JSON.parse(`"${shown}"`)).toBe(`a${character}b`);
  }
  const typed = 'plain, 中文, é, e\u0301, ع, ן, \u{1f469}\u{1f3fd}\u200d\u{1f4bb}, \u2764\ufe0f, tabs\tand\nlines\r\n';
  expect(visibleText(typed)).toBe(typed);
});
