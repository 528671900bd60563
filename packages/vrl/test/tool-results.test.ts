import { verifies } from '@a2c/requirements';
import { checkSyntax, run, type VrlObject } from '@a2c/vrl';
import { describe, expect } from 'vitest';

/** The event of a tool call: the result in wire form, the name of the tool and the arguments. */
const event = (over: object = {}) => ({
  meta: null,
  content: [{ type: 'text', text: 'Echo: hi', annotations: null }],
  structuredContent: null,
  isError: false,
  tool_name: 'echo',
  parameters: { message: 'hi' },
  ...over,
});

const transform = (source: string, over?: object) => run(source, event(over)).processedEvent as VrlObject;

describe('typical scripts for tool results', () => {
  verifies('VRL-RUN-02', 'marking', () => {
    expect(transform('.marked = true\n.by = "a2c"')).toEqual({ ...event(), marked: true, by: 'a2c' });
  });

  verifies('VRL-RUN-02', 'mapping of fields', () => {
    const source = `.status = "success"\n.summary = .content[0].text\n.info = {"source": "tool", "size": 1}`;
    expect(transform(source)).toMatchObject({
      status: 'success',
      summary: 'Echo: hi',
      info: { source: 'tool', size: 1 },
    });
  });

  verifies('VRL-RUN-02', 'the result itself is preserved', () => {
    const { content, marker, version } = transform('.marker = "seen"\n.version = 2');
    expect({ content, marker, version }).toEqual({ content: event().content, marker: 'seen', version: 2 });
  });

  verifies('VRL-RUN-02', 'a time stamp', () => {
    const before = Date.now();
    const { at, text } = transform('.at = now()\n.status = "done"\n.text = .content[0].text');
    expect(at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{3})? UTC$/);
    const time = Date.parse(`${String(at).replace(' UTC', 'Z').replace(' ', 'T')}`);
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
    expect(text).toBe('Echo: hi');
  });

  verifies('VRL-RUN-02', 'a new structure', () => {
    const source = `
      .result = {
        "success": !bool!(.isError),
        "output": .content[0].text,
        "kind": .content[0].type,
        "error": .isError,
        "at": now(),
        "by": "vrl"
      }`;
    expect(transform(source).result).toEqual({
      success: true,
      output: 'Echo: hi',
      kind: 'text',
      error: false,
      at: expect.any(String),
      by: 'vrl',
    });
  });

  verifies('VRL-RUN-02', 'the call itself is part of the event', () => {
    const { call } = transform('.call = {"tool": .tool_name, "arguments": .parameters}');
    expect(call).toEqual({ tool: 'echo', arguments: { message: 'hi' } });
  });

  verifies('VRL-RUN-02', 'a choice by the name of the tool', () => {
    const source = `
      if .tool_name == "add" {
        .result_type = "sum"
        .operands = [.parameters.a, .parameters.b]
      } else if .tool_name == "echo" {
        .result_type = "echo"
        .said = .parameters.message
      } else {
        .result_type = "other"
      }`;
    expect(transform(source)).toMatchObject({ result_type: 'echo', said: 'hi' });
    const add = { tool_name: 'add', parameters: { a: 1, b: 2.5 } };
    expect(transform(source, add)).toMatchObject({ result_type: 'sum', operands: [1, 2.5] });
    expect(transform(source, { tool_name: 'x' })).toMatchObject({ result_type: 'other' });
  });

  verifies('VRL-RUN-02', 'nested arguments keep their types', () => {
    const parameters = { user: { id: 7, admin: true, tags: ['a'], name: 'Ann', note: null } };
    const source = '.id = .parameters.user.id\n.user = .parameters.user\n.tag = .parameters.user.tags[0]';
    expect(transform(source, { parameters })).toMatchObject({ id: 7, user: parameters.user, tag: 'a' });
  });

  verifies('VRL-RUN-02', 'a browser step replaces the whole event, other tools are left alone', () => {
    const source = `
      if includes(["navigate", "go_back"], .tool_name) {
        url = if exists(.parameters.url) { .parameters.url } else { "about:previous" }
        text = .content[0].text
        . = {"url": url, "text": text}
      }`;
    expect(transform(source, { tool_name: 'navigate', parameters: { url: 'https://a.test' } })).toEqual({
      url: 'https://a.test',
      text: 'Echo: hi',
    });
    expect(transform(source, { tool_name: 'go_back' })).toEqual({ url: 'about:previous', text: 'Echo: hi' });
    expect(transform(source)).toEqual(event());
  });

  verifies('VRL-RUN-02', 'a choice by the error flag', () => {
    const source = 'if .isError == true { .status = "failed" } else { .status = "succeeded" }';
    expect(transform(source).status).toBe('succeeded');
    expect(transform(source, { isError: true }).status).toBe('failed');
  });

  verifies('VRL-RUN-02', 'a summary that handles what may fail', () => {
    const source = `failed = to_bool(.isError) ?? false\n.summary = {"failed": failed, "parts": length!(.content)}`;
    expect(transform(source).summary).toEqual({ failed: false, parts: 1 });
    expect(transform(source, { isError: [] }).summary).toEqual({ failed: false, parts: 1 });
  });

  verifies('VRL-CHECK-01', 'prose, or a path with trailing text, is rejected', () => {
    for (const source of ['please turn this into a summary', '.content[0] !! what']) {
      expect(checkSyntax(source)?.formatted, source).toContain('error[E203]: syntax error');
    }
  });
});
