import {
  type CallToolResult,
  errorAnswer,
  executionOf,
  type FailureReason,
  META_KEYS,
  readCallFailure,
  readErrorAnswer,
  SMCPError,
} from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';

const failed = (text: string, meta?: Record<string, unknown>) => ({
  content: [{ type: 'text', text }],
  isError: true,
  ...(meta && { _meta: meta }),
});

describe('the reason of a failed call', () => {
  verifies('WIRE-ERR-03', 'comes from the reason or the code, whatever the text says', () => {
    const meta = { [META_KEYS.errorCode]: 4005, [META_KEYS.reason]: 'consent_timeout' };
    expect(readCallFailure(failed('any text', meta))).toEqual({ reason: 'consent_timeout' });
    expect(readCallFailure(failed('any text', { [META_KEYS.errorCode]: 4004 }))).toEqual({ reason: 'timeout' });
    expect(readCallFailure(failed('any text', { [META_KEYS.reason]: 'unheard of' }))).toBeUndefined();
    const notBooted = new SMCPError('Unavailable', 'any text', { details: { [META_KEYS.reason]: 'not_booted' } });
    const received = readErrorAnswer(JSON.parse(JSON.stringify(errorAnswer(notBooted)))) as SMCPError;
    expect(readCallFailure(received)).toEqual({ reason: 'not_booted' });
    expect(readCallFailure(new SMCPError('ToolTimeout', 'any text'))).toEqual({ reason: 'timeout' });
  });

  verifies('WIRE-ERR-03', 'comes from the text of published Computers, which send no code', () => {
    const texts: readonly (readonly [string, FailureReason, string?])[] = [
      [
        '当前工具需要调用前进行二次确认，但客户端目前没有实现二次确认回调方法。请联系用户反馈此问题',
        'consent_unavailable',
      ],
      ['当前工具需要用户二次确认是否可以调用，当前确认超时。', 'consent_timeout'],
      ['工具调用二次确认被拒绝，请稍后再试', 'consent_denied'],
      ['在工具调用二次确认时发生异常，异常信息：x', 'consent_failed'],
      ['当前MCP Manager为空', 'not_booted'],
      ["调用异常: Tool 'x' execution timed out", 'timeout'],
      ['调用异常: Tool execution failed: two\nlines', 'execution_failed', 'two\nlines'],
    ];
    for (const [text, reason, message] of texts)
      expect(readCallFailure(failed(text))).toEqual({ reason, ...(message !== undefined && { message }) });
    expect(readCallFailure(failed('it broke'))).toBeUndefined();
    expect(readCallFailure({ content: [], isError: true })).toBeUndefined();
    for (const [text] of texts) expect(readCallFailure(failed(text, { a2c_execution: 'ran' }))).toBeUndefined();
  });
});

verifies(['SEC-ONCE-03', 'SEC-RESULT-02'], 'whether a call has run follows from its result or error', () => {
  const outcomes: readonly (readonly [CallToolResult | Error, string])[] = [
    [{ content: [], isError: false }, 'ran'],
    [failed('x'), 'ran'],
    [failed('x', { a2c_execution: 'not-run' }), 'not-run'],
    [failed('x', { a2c_cancelled: true }), 'unknown'],
    [failed('x', { error_code: 4004 }), 'unknown'],
    [failed('x', { a2c_execution: 'not-run', a2c_reason: 'consent_denied' }), 'not-run'],
    // Computers of other makers: a tool can return such a result, too.
    [failed('x', { a2c_reason: 'consent_denied' }), 'unknown'],
    [failed('工具调用二次确认被拒绝，请稍后再试'), 'unknown'],
    [failed('工具调用二次确认被拒绝，请稍后再试', { a2c_execution: 'ran' }), 'ran'],
    [new SMCPError('InternalError', '当前MCP Manager为空'), 'not-run'],
    [new SMCPError('Unauthorized', 'x'), 'not-run'],
    [new SMCPError('NotFound', 'x', { details: { computer: 'pc' } }), 'not-run'],
    [new SMCPError('NotFound', 'x', { details: { reason: 'left' } }), 'unknown'],
    [new SMCPError('NotFound', 'x', { details: { reason: 'gone' } }), 'unknown'],
    [new SMCPError('NotFound', 'x', { details: { a2c_execution: 'unknown' } }), 'unknown'],
    [new SMCPError('Unavailable', 'x'), 'unknown'],
    [new Error('aborted'), 'unknown'],
  ];
  for (const [outcome, expected] of outcomes) expect(executionOf(outcome), JSON.stringify(outcome)).toBe(expected);
});
