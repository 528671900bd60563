import type { Language } from './computer/shell/language.js';

/** What Computers say in Chinese because other peers compare these texts word for word: how each begins, and its meaning. */
const MEANINGS: readonly (readonly [begins: string, meaning: string])[] = [
  ['当前工具需要调用前进行二次确认', 'this tool needs consent, and nobody can be asked on that Computer'],
  ['当前工具需要用户二次确认', 'this tool needs consent, and nobody gave it in time'],
  ['工具调用二次确认被拒绝', 'consent to this call was refused'],
  ['在工具调用二次确认时发生异常', 'asking for consent failed'],
  ['当前MCP Manager为空', 'that Computer has not started its servers yet'],
];
/** What follows it is English already. */
const CALL_FAILED = '调用异常: ';

/** For people who do not read Chinese; undefined for those who do, and for every other text. */
export function inEnglish(text: unknown, language: Language): string | undefined {
  if (typeof text !== 'string' || language === 'zh') return undefined;
  if (text.startsWith(CALL_FAILED)) return `the call failed: ${text.slice(CALL_FAILED.length)}`;
  return MEANINGS.find(([begins]) => text.startsWith(begins))?.[1];
}
