import { verifies } from '@a2c/requirements';
import { checkSyntax, compile, VrlCompileError, VrlInputError } from '@a2c/vrl';
import { describe, expect } from 'vitest';
import { describeFunctions } from '../src/functions.js';
import { NATIVE_DIAGNOSTICS } from './native-diagnostics.js';

describe('a script is checked by compiling it', () => {
  verifies('VRL-CHECK-01', 'a valid script has no diagnostics', () => {
    expect(checkSyntax('.status = "ok"')).toBeNull();
    expect(checkSyntax('')).toBeNull();
    expect(checkSyntax('# only a comment\n')).toBeNull();
  });

  verifies('VRL-CHECK-01', 'each message has a code and a position', () => {
    expect(checkSyntax('.a = 1\n."名" = 2 )')?.messages).toEqual([
      { severity: 'error', code: 'E203', message: 'syntax error', line: 2, column: 10 },
    ]);
    expect(checkSyntax('.a = "名" + oops(.b)\n.b = parse_json(.c)')?.messages).toEqual([
      { severity: 'error', code: 'E105', message: 'call to undefined function', line: 1, column: 12 },
      { severity: 'error', code: 'E103', message: 'unhandled fallible assignment', line: 2, column: 6 },
    ]);
  });

  for (const { name, source, formatted } of NATIVE_DIAGNOSTICS) {
    verifies('VRL-CHECK-01', `the text is the one VRL prints: ${name}`, () => {
      expect(checkSyntax(source)?.formatted).toBe(formatted);
    });
  }

  verifies('VRL-CHECK-02', 'a fallible call must be handled', () => {
    expect(checkSyntax('.a = parse_json(.b)')?.messages[0]?.code).toBe('E103');
    expect(checkSyntax('to_int(.b)')?.messages[0]?.code).toBe('E100');
    for (const handled of ['.a = parse_json!(.b)', '.a, .err = parse_json(.b)', '.a = parse_json(.b) ?? null']) {
      expect(checkSyntax(handled), handled).toBeNull();
    }
  });

  verifies('VRL-CHECK-04', 'compile throws the diagnostics that the check returns', () => {
    const source = '.a = 1 +';
    const thrown = thrownBy(() => compile(source));
    expect(thrown).toBeInstanceOf(VrlCompileError);
    expect((thrown as VrlCompileError).diagnostics).toEqual(checkSyntax(source));
    expect((thrown as VrlCompileError).message).toContain('syntax error');
  });

  verifies('VRL-CHECK-04', 'a script that is not text is rejected with its type', () => {
    expect(() => checkSyntax(7 as unknown as string)).toThrow(VrlInputError);
    expect(() => checkSyntax(7 as unknown as string)).toThrow('a VRL script must be text, but it is number');
  });
});

describe('unsupported functions', () => {
  const calls: Readonly<Record<string, string>> = {
    dns_lookup: 'dns_lookup!("localhost", qtype: "A")',
    encode_proto: 'encode_proto!({}, "schema.desc", "Message")',
    get_env_var: 'get_env_var!("HOME")',
    get_hostname: 'get_hostname!()',
    http_request: 'http_request!("http://127.0.0.1", method: "get")',
    log: 'log("hello", level: "info")',
    parse_grok: 'parse_grok!("x", "%{WORD:w}")',
    parse_groks: 'parse_groks!("x", patterns: ["%{WORD:w}"])',
    parse_proto: 'parse_proto!("x", "schema.desc", "Message")',
    reverse_dns: 'reverse_dns!("127.0.0.1")',
    validate_json_schema: 'validate_json_schema!("{}", "schema.json")',
  };

  verifies('VRL-CHECK-03', 'are exactly these', () => {
    const refused = describeFunctions().filter((entry) => entry.refused !== null);
    expect(refused.map(({ name }) => name).toSorted()).toEqual(Object.keys(calls).toSorted());
  });

  for (const { name, refused } of describeFunctions().filter((entry) => entry.refused !== null)) {
    verifies('VRL-CHECK-03', `${name} does not compile, with name and reason`, () => {
      const source = `.x = ${calls[name]}`;
      const diagnostics = checkSyntax(source);
      expect(diagnostics?.messages).toHaveLength(1);
      const text = `the function \`${name}\` is not available here: ${refused}`;
      expect(diagnostics?.messages[0]).toMatchObject({ severity: 'error', line: 1, column: 6 });
      expect(diagnostics?.messages[0]?.message).toContain(text);
      expect(diagnostics?.formatted).toContain(source);
      expect(diagnostics?.formatted).toContain('^^^');
    });
  }

  verifies('VRL-CHECK-03', 'parse_etld uses the built-in list, not a file', () => {
    expect(checkSyntax('.x = parse_etld!("vector.dev")')).toBeNull();
    expect(checkSyntax('.x = parse_etld!("vector.dev", psl: "list.dat")')?.messages[0]?.message).toContain(
      'the argument `psl` of the function `parse_etld` is not available here: it reads a file',
    );
  });
});

function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
