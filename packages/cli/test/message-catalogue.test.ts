import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { COMMANDS } from '../src/computer/shell/commands.js';
import { translateMark, translateMessage, translateStart } from '../src/computer/shell/translations.js';
import { englishIn } from './english.js';
import { INSERTED, type SourceMessage, sourceMessages } from './source-messages.js';

/** Whose texts reach the user of the shell. */
const SOURCES = [
  ...['config', 'computer', 'hub', 'login', 'link', 'protocol'].map((name) => `${name}/src`),
  'server/src/rooms',
  ...['admission', 'handshake-checks', 'identity', 'client-certificate'].map((name) => `server/src/access/${name}.ts`),
  'cli/src/computer',
  ...['explain-error', 'connection-reasons', 'options', 'office-options', 'arguments', 'console/computer-console'].map(
    (name) => `cli/src/${name}.ts`,
  ),
];

/** Files with texts that the shell never prints, and what they are. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'cli/src/computer/shell/.*translations': 'the catalogue',
  'cli/src/computer/shell/language': 'both languages',
  'cli/src/computer/command': 'the help of `a2c computer run --help`',
  'cli/src/computer/start-timeouts': 'the log of --headless',
  'computer/src/plugins/ledgers': 'a comment in a file',
  'hub/src/transports/process/watchdog': 'a program',
  'login/src/flows/(?:loopback|result-page)': 'pages in the browser',
};

/** Texts that the shell never prints as they are. */
const NOT_PRINTED: readonly string[] = [
  // What a person may type as an answer
  'always for this tool',
  'none of this agent',
  'all of this project',
  'no, ask about each',
  // A reason of Socket.IO, which connection-reasons.ts puts in words
  'io server disconnect',
  // Titles of JSON Schemas
  'A2C servers: one server, a list, or servers with their inputs',
  'A2C inputs: one definition or a list',
  // Parts of messages that the catalogue has as a whole
  'the record of stored inputs',
  'the trust record',
  'delete the file and store them again',
  'delete it and trust the file again',
  'with the input ⟪⟫⟪⟫⟪⟫',
  // A header of HTTP, for pages
  'JSONP is not served',
  // Options of other commands, and the help of options
  'print JSON, one value per line',
  'did you mean "⟪⟫"? ',
  'expected a number of seconds above 0',
  'expected a whole number above 0',
  'more fields for the handshake’s auth object, or a JSON object',
  'key of the client certificate',
  'allow connections to other hosts without TLS',
  'speak as the protocol document (spec) or as a generation of the SDKs (default: the newest)',
  'certificate authority of the server’s certificate',
];

const isElsewhere = ({ file, text }: SourceMessage): boolean =>
  Object.keys(ELSEWHERE).some((path) => new RegExp(`^${path}\\.ts$`).test(file)) ||
  NOT_PRINTED.includes(text) ||
  COMMANDS.some(({ path }) => text === path || text.startsWith(`${path} `));

/** What is inserted may be missing. A part of a message is translated alone, or with what precedes it. */
function isTranslated({ file, text }: SourceMessage): boolean {
  const translate = file.endsWith('/describe-start.ts') ? translateStart : translateMessage;
  const isChinese = (line: string) => englishIn(translate(line, 'zh')) === undefined;
  return ['"x"', 'x', ''].some((inserted) => {
    const filled = text.replaceAll(INSERTED, inserted);
    return filled.split('\n').every(isChinese) || (/^[ ,;(]/.test(filled) && isChinese(`x${filled}`));
  });
}

describe('the catalogue of Chinese messages', () => {
  verifies('NEW-SHELL-06', 'has every message of the sources that the shell can print', () => {
    const messages = SOURCES.flatMap(sourceMessages).filter((message) => !isElsewhere(message));
    expect(messages.length).toBeGreaterThan(800);
    const missing = messages.filter((message) => !isTranslated(message));
    expect(missing.map(({ file, line, text }) => `${file}:${line}: ${text}`)).toEqual([]);
  });

  verifies('NEW-SHELL-06', 'needs no exception that is not there any more', () => {
    const texts = new Set(SOURCES.flatMap(sourceMessages).map(({ text }) => text));
    expect(NOT_PRINTED.filter((text) => !texts.has(text))).toEqual([]);
  });

  verifies('NEW-SHELL-06', 'has the errors of JSON.parse', () => {
    const wrong = ['{', '{"a"', '{"a":', '{"a":1', '{"a":1,}', '[1', '[1 2]', '{"a":x}', 'x', '', '"a', '"a\\q"'];
    for (const text of [...wrong, '{"a":1}}', '{a:1}', '{"a":1.}', '-', '"\t"', '1e', '"\\u12"', '{"a":tru}']) {
      try {
        JSON.parse(text);
        expect.unreachable(text);
      } catch (error) {
        const translated = translateMessage(`x.json: not JSON: ${(error as Error).message}`, 'zh');
        expect(translated).toMatch(/^x\.json: 不是有效的 JSON: /);
        expect(englishIn(translated), translated).toBeUndefined();
      }
    }
  });

  verifies('NEW-SHELL-06', 'translates lists, places and what other messages contain', () => {
    const translations = {
      'client:tool_call: req_id: must not be empty; params: expected an object':
        'client:tool_call: req_id: 不能为空；params: 应为对象',
      'invalid arguments for "t": a: is required (number); b: is not a parameter. Call it as t(a)':
        '"t" 的参数无效: a: 必填（number）；b: 不是参数。正确形式: t(a)',
      'x: "h.example" resolves to an address that is not public (rule private-address; allowed by --allow-private-ip)':
        'x: "h.example" 解析到的地址不是公网地址（规则 private-address；可用 --allow-private-ip 允许）',
      's.json: enableAll is ignored: a project cannot decide this; put it into your own settings.json':
        's.json: enableAll 被忽略: 项目不能决定此项；请写入您自己的 settings.json',
      'MCP error: something else': 'MCP error: something else',
    };
    for (const [english, chinese] of Object.entries(translations))
      expect(translateMessage(english, 'zh')).toBe(chinese);
    const mark = 'changed since it was approved; to review: a2c tools review s; the approved text is shown';
    expect(
      translateMark(`[a2c: ${mark}; its text contains hidden characters and escape sequences] was closed`, 'zh'),
    ).toBe(
      '[a2c: 批准后有变化；查看请运行: a2c tools review s；显示的是已批准的文本；其文本含有隐藏字符和转义序列] was closed',
    );
  });

  verifies('NEW-SHELL-06', 'quotes what a server would start with as the project has it', () => {
    const translations = {
      'with the variable X=the file ends too early': '使用环境变量 X=the file ends too early',
      'in a sandbox where it reads "/a and changes /b" /c and changes /d and uses the network':
        '在沙箱中运行，可读取 "/a and changes /b" /c，可修改 /d，可使用网络',
      'with the input "id", one of "a, by default b" c, by default c':
        '使用 input "id"，可选值: "a, by default b" c，默认值: c',
    };
    for (const [english, chinese] of Object.entries(translations)) {
      expect(translateStart(english, 'zh')).toBe(chinese);
      expect(translateStart(english, 'en')).toBe(english);
    }
  });
});
