import { sep } from 'node:path';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import {
  type ConfigFormat,
  expandPlaceholders,
  InputResolver,
  type JsonValue,
  MAX_PLACEHOLDER_DEPTH,
  type PlaceholderContext,
} from '../src/index.js';

const inputs = new InputResolver(
  ['text', 'number', 'object', 'nested'].map((id) => ({
    type: 'promptString',
    id,
    description: '',
    default: null,
    password: false,
  })),
);
inputs.setCachedValue('text', 'hello');
inputs.setCachedValue('number', 7);
inputs.setCachedValue('object', { a: [1] });
inputs.setCachedValue('nested', '${input:text}');

function expand(value: JsonValue, format: ConfigFormat = 'a2c') {
  const warnings: string[] = [];
  const context: PlaceholderContext = {
    format,
    env: { TOKEN: 'tok', EMPTY: '' },
    root: '/home/ann/project',
    home: '/home/me',
    inputs,
    warn: (message) => warnings.push(message),
  };
  return expandPlaceholders(value, context).then((result) => ({ result, warnings }));
}

const expanded = async (value: JsonValue, format?: ConfigFormat) => (await expand(value, format)).result;

describe('inputs', () => {
  verifies(
    ['CONF-HOLD-01', 'COMP-INPUT-01', 'COMP-INPUT-02'],
    'an exact placeholder keeps the type of its value',
    async () => {
      expect(await expanded('${input:text}')).toBe('hello');
      expect(await expanded('${input:number}')).toBe(7);
      expect(await expanded('${input:object}')).toEqual({ a: [1] });
      expect(await expanded('x ${input:text} ${input:number} ${input:object}')).toBe('x hello 7 {"a":[1]}');
      expect(await expanded({ env: '${input:text}' })).toEqual({ env: 'hello' });
    },
  );

  verifies('CONF-HOLD-02', 'inserted values are not expanded again; keys and other values are unchanged', async () => {
    expect(await expanded('${input:nested}!')).toBe('${input:text}!');
    expect(await expanded({ '${input:text}': [true, null, 1, '${input:text}'] })).toEqual({
      '${input:text}': [true, null, 1, 'hello'],
    });
  });

  verifies(['COMP-INPUT-03', 'CONF-HOLD-01'], 'an unknown id is kept, with a warning', async () => {
    expect(await expand('a ${input:none} ${input: text}')).toEqual({
      result: 'a ${input:none} ${input: text}',
      warnings: ['none', ' text'].map((id) => `input "${id}" is not defined; its placeholder is not expanded`),
    });
  });

  verifies('CONF-HOLD-02', 'depth is limited', async () => {
    const nest = (levels: number): JsonValue => (levels === 0 ? '${input:text}' : [nest(levels - 1)]);
    const deepest = async (levels: number) =>
      JSON.stringify((await expand(nest(levels))).result).replaceAll(/[[\]"]/g, '');
    expect(await deepest(MAX_PLACEHOLDER_DEPTH)).toBe('hello');
    expect(await deepest(MAX_PLACEHOLDER_DEPTH + 1)).toBe('${input:text}');
    expect((await expand(nest(MAX_PLACEHOLDER_DEPTH + 1))).warnings).toHaveLength(1);
  });
});

/**
 * The table of docs/config/placeholders.md. A text is the result, an error begins with "!", null means that it is kept.
 */
const UNSET = '!the environment variable NONE is not set';
const BAD_NAME = '!a placeholder has a name that is not allowed';
const table: [placeholder: string, others: string, open: string | null][] = [
  ['${env:TOKEN}', 'tok', 'tok'],
  ['${env:NONE}', UNSET, UNSET],
  ['${TOKEN}', 'tok', null],
  ['${NONE}', UNSET, null],
  ['${EMPTY}', '', null],
  ['${TOKEN:-d}', 'tok', null],
  ['${NONE:-d}', 'd', null],
  ['${NONE:-}', '', null],
  ['${EMPTY:-d}', 'd', null],
  ['${NONE:-a b:c}', 'a b:c', null],
  ['${MCP_ROOT}/x', '/home/ann/project/x', '/home/ann/project/x'],
  ['${CLAUDE_PLUGIN_ROOT}', '/home/ann/project', '/home/ann/project'],
  ['${workspaceFolder}', '/home/ann/project', '/home/ann/project'],
  ['${userHome}', '/home/me', '/home/me'],
  ['a${pathSeparator}b', '!the environment variable pathSeparator is not set', `a${sep}b`],
  ['${}', BAD_NAME, null],
  ['${1A}', BAD_NAME, null],
  ['${A-B}', BAD_NAME, null],
  ['${constructor}', '!the environment variable constructor is not set', null],
  ['${never', '!a "${" is never closed', null],
  ['$TOKEN $$ {TOKEN}', '$TOKEN $$ {TOKEN}', '$TOKEN $$ {TOKEN}'],
];

describe.each(['v1', 'mcpServers', 'server-map', 'mcpx', 'a2c', 'vscode'] as const)('in %s', (format) => {
  for (const [text, others, open] of table) {
    verifies(['CONF-HOLD-03', 'CONF-HOLD-05'], text, async () => {
      const outcome = (format === 'a2c' || format === 'vscode' ? open : others) ?? text;
      if (outcome.startsWith('!')) await expect(expand(text, format)).rejects.toThrow(outcome.slice(1));
      else expect(await expanded(text, format)).toBe(outcome);
    });
  }
});

describe('secrets', () => {
  verifies(
    ['CONF-HOLD-05', 'CONF-TELL-04'],
    'errors and warnings do not contain the text around a placeholder',
    async () => {
      const shown = await expand('sk-secret ${NONE}', 'v1').catch((error: Error) => error.message);
      expect(shown).not.toContain('sk-secret');
      expect(JSON.stringify((await expand('${X:-sk-secret}')).warnings)).not.toContain('sk-secret');
    },
  );
});
