import type { ElicitHandler } from '@a2c/hub';
import { isRecord, oneLine, visibleText } from '@a2c/protocol';
import { wrapped } from '../display-width.js';
import type { View } from '../view.js';

type AskText = (question: string, signal: AbortSignal) => Promise<string | undefined>;
type Values = Record<string, string | number | boolean | string[]>;
/** The schema of one field, as far as MCP allows it in a form. */
type Field = Readonly<Record<string, unknown>>;

/** A server must not scroll the title of its question away. */
const MAX_LINES = 12;
const MAX_CHARACTERS = 1_200;
const MAX_FIELD = 500;

const INDENT = '  ';

/** Answers the questions of MCP servers at the prompt: one question for each field of a form. */
export function elicitOnTerminal(view: View, askText: AskText, print: (text: string) => void): ElicitHandler {
  const { say, paint } = view;
  const isYes = (text: string) => ['y', 'yes', '是'].includes(text.trim().toLowerCase());
  return async (params, { server, signal }) => {
    const cancel = (): { action: 'cancel' } => {
      if (signal.aborted) print(paint('yellow', say('questionExpired')));
      return { action: 'cancel' };
    };
    const title = paint('yellow', say('elicitTitle', { server: oneLine(server) }));
    const head = [`\n${title}`, ...linesOf(params.message, view)].join('\n  ');
    if (params.mode === 'url') {
      const answer = await askText(`${head}\n  ${oneLine(params.url)}\n${say('elicitOpen')}`, signal);
      if (answer === undefined) return cancel();
      return { action: isYes(answer) ? 'accept' : 'decline' };
    }
    print(`${head}\n  ${paint('dim', say('elicitHint'))}`);
    const { properties, required = [] } = params.requestedSchema;
    const content: Values = {};
    for (const [key, field] of Object.entries(properties)) {
      const value = await askField(key, field as Field, required.includes(key));
      if (value === undefined) return cancel();
      if (value !== null) content[key] = value;
    }
    const answer = await askText(say('elicitSend'), signal);
    if (answer === undefined) return cancel();
    return isYes(answer) ? { action: 'accept', content } : { action: 'decline' };

    /** Returns null for a field that is left out, undefined after Ctrl-C. */
    async function askField(
      key: string,
      field: Field,
      isRequired: boolean,
    ): Promise<Values[string] | null | undefined> {
      for (;;) {
        const question = wrapped(questionOf(key, field, isRequired, view), view.width - INDENT.length).join(
          `\n${INDENT}`,
        );
        const typed = await askText(`${INDENT}${paint('bold', question)}`, signal);
        if (typed === undefined) return undefined;
        if (typed.trim() === '' && field.default !== undefined) return field.default as Values[string];
        if (typed.trim() === '' && !isRequired) return null;
        const value = readField(typed.trim(), field, isYes);
        if (value !== undefined) return value;
        print(paint('red', shown(say('elicitWrong', { expected: expectedOf(field, view) }), view)));
      }
    }
  };
}

/** One short line without control characters. All lines of a form go through here: they have texts of a server. */
function shown(text: string, { say }: View): string {
  const line = oneLine(text);
  return line.length > MAX_FIELD ? `${line.slice(0, MAX_FIELD)} ${say('elicitCut')}` : line;
}

/** The lines of a message that have text. */
function linesOf(message: string, { say, width }: View): readonly string[] {
  const text = visibleText(message);
  const lines = text
    .slice(0, MAX_CHARACTERS)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  const isCut = lines.length > MAX_LINES || text.length > MAX_CHARACTERS;
  const shownLines = lines.slice(0, MAX_LINES).flatMap((line) => wrapped(line, width - INDENT.length));
  return isCut ? [...shownLines, say('elicitCut')] : shownLines;
}

function questionOf(key: string, field: Field, isRequired: boolean, view: View): string {
  const title = typeof field.title === 'string' ? `${field.title} (${key})` : key;
  const description = typeof field.description === 'string' ? ` – ${field.description}` : '';
  const optional = isRequired ? '' : ` ${view.say('elicitOptional')}`;
  const value =
    field.default === undefined ? '' : ` ${view.say('withDefault', { value: String(field.default) })}`.trimEnd();
  return `${shown(`${title}${description} [${expectedOf(field, view)}]${optional}${value}`, view)}: `;
}

function expectedOf(field: Field, { say }: View): string {
  const options = optionsOf(field);
  if (options) return options.map(({ value, title }) => (title === value ? value : `${value} (${title})`)).join(' | ');
  return field.type === 'boolean' ? say('elicitYesNo') : String(field.format ?? field.type ?? 'string');
}

interface Option {
  readonly value: string;
  readonly title: string;
}

/** The choices of a field: of one value, or of a list. */
function optionsOf(field: Field): readonly Option[] | undefined {
  const holder = field.type === 'array' && isRecord(field.items) ? field.items : field;
  const { enum: values, oneOf, anyOf = oneOf, enumNames: titles = [] } = holder;
  if (Array.isArray(anyOf)) {
    return anyOf.filter(isRecord).map((one) => ({ value: String(one.const), title: String(one.title ?? one.const) }));
  }
  if (!Array.isArray(values)) return undefined;
  return values.map((value, index) => ({
    value: String(value),
    title: String((Array.isArray(titles) && titles[index]) || value),
  }));
}

/** The formats of MCP. */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  uri: URL.canParse,
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': (text) => /^\d{4}-\d\d-\d\dT/i.test(text) && !Number.isNaN(Date.parse(text)),
};

function hasFormat(text: string, format: unknown): boolean {
  return typeof format !== 'string' || !Object.hasOwn(FORMATS, format) || FORMATS[format]?.(text) === true;
}

/** Returns undefined for a value that the field does not allow. */
function readField(text: string, field: Field, isYes: (text: string) => boolean): Values[string] | undefined {
  const options = optionsOf(field);
  const isOption = (value: string) => options === undefined || options.some((option) => option.value === value);
  switch (field.type) {
    case 'boolean':
      if (isYes(text) || text.toLowerCase() === 'true') return true;
      return ['n', 'no', '否', 'false'].includes(text.toLowerCase()) ? false : undefined;
    case 'number':
    case 'integer': {
      const value = Number(text);
      return text === '' || Number.isNaN(value) || (field.type === 'integer' && !Number.isInteger(value))
        ? undefined
        : value;
    }
    case 'array': {
      const values = text.split(',').map((part) => part.trim());
      return values.every(isOption) ? values : undefined;
    }
    default:
      return text !== '' && isOption(text) && hasFormat(text, field.format) ? text : undefined;
  }
}
