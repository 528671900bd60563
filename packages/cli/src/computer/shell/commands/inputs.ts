import { formatProblem, type InputDefinition, isOption, type JsonValue } from '@a2c/config';
import { fileArgument, firstWord, jsonArgument, ShellError, words } from '../command-line.js';
import { readInputs } from '../read-config.js';
import { done, json, type Reply, required, type Session, type ShellCommand } from '../session.js';

async function load(session: Session, rest: string): Promise<Reply> {
  const { computer, view, settings } = session;
  if (fileArgument(rest) === undefined) throw new ShellError(view.say('usage', { usage: 'inputs load @file.json' }));
  const { value, source } = await jsonArgument(rest, settings.root, view);
  if (!Array.isArray(value)) throw new ShellError(view.say('inputsNeedArray'));
  const { inputs, warnings } = readInputs(value, source);
  computer.replaceInputs(inputs);
  const reply = done(view, view.say('inputsUpdated'), { inputs: computer.inputs().map(({ id }) => id) });
  return { ...reply, warnings: warnings.map(formatProblem) };
}

async function add(session: Session, rest: string): Promise<Reply> {
  const { computer, view, settings } = session;
  const { value, source } = await jsonArgument(required(session, rest, 'inputs add <json|@file>'), settings.root, view);
  const { inputs, warnings } = readInputs(value, source);
  computer.defineInputs(inputs);
  const reply = done(view, view.say('inputAdded'), { inputs: inputs.map(({ id }) => id) });
  return { ...reply, warnings: warnings.map(formatProblem) };
}

async function remove(session: Session, rest: string): Promise<Reply> {
  const { computer, view } = session;
  const id = required(session, words(rest)[0], 'inputs rm <id>');
  if (!computer.removeInput(id)) throw new ShellError(view.say('notFound', { id }));
  return done(view, view.say('removed'), { id });
}

async function get(session: Session, rest: string): Promise<Reply> {
  const { id } = definitionOf(session, required(session, words(rest)[0], 'inputs get <id>'));
  return json(session.computer.config().inputs.find((input) => (input as { id: string }).id === id));
}

async function list({ computer }: Session): Promise<Reply> {
  return json(computer.config().inputs);
}

async function listValues({ computer }: Session): Promise<Reply> {
  return json(computer.inputValues());
}

async function getValue(session: Session, rest: string): Promise<Reply> {
  const id = required(session, words(rest)[0], 'inputs value get <id>');
  const values = session.computer.inputValues();
  if (!Object.hasOwn(values, id)) throw new ShellError(session.view.say('valueNotResolved', { id }));
  return json(values[id]);
}

async function setValue(session: Session, rest: string): Promise<Reply> {
  const { computer, view } = session;
  const [word, typed] = firstWord(rest);
  const id = required(session, word, 'inputs value set <id> [<json|text>]');
  const definition = definitionOf(session, id);
  if (typed !== '') {
    // An option is text, also if it looks like a number.
    const value = definition.type === 'pickString' ? textOf(typed) : typedValue(typed);
    if (definition.type === 'pickString' && !isOption(definition, textOf(typed))) {
      throw new ShellError(
        view.say('notAnOption', { id, options: definition.options.map((option) => option.value).join(', ') }),
      );
    }
    computer.setInputValue(id, value);
    return done(view, view.say('valueSet'), { id });
  }
  const isAsked = definition.type !== 'command' && definition.default === null && session.askInput;
  if (isAsked) {
    computer.setInputValue(id, (await isAsked(definition)) ?? '');
    return done(view, view.say('valueSet'), { id });
  }
  const value = defaultOf(session, definition);
  computer.setInputValue(id, value);
  const shown = definition.type === 'promptString' && definition.password ? '********' : value;
  return done(view, `${view.say('usingDefault', { value: shown })}; ${view.say('valueSet')}`, { id });
}

/**
 * An object, a list, a text in quotes, `true`, `false` and `null` are JSON. A number is JSON only if JSON prints it in
 * the same way: `1.10`, `1e5` and long numbers stay text, because a token may look like a number.
 */
function typedValue(typed: string): JsonValue {
  try {
    const value = JSON.parse(typed) as JsonValue;
    return typeof value === 'number' && String(value) !== typed ? typed : value;
  } catch {
    return /^'([\s\S]*)'$/.exec(typed)?.[1] ?? typed;
  }
}

function textOf(typed: string): string {
  const value = typedValue(typed);
  return typeof value === 'string' ? value : typed;
}

function defaultOf({ view }: Session, definition: InputDefinition): string {
  const { id } = definition;
  if (definition.type === 'command') throw new ShellError(view.say('commandHasNoDefault', { id }));
  if (definition.default === null) throw new ShellError(view.say('hasNoDefault', { id }));
  return definition.default;
}

async function removeValue(session: Session, rest: string): Promise<Reply> {
  const { computer, view } = session;
  const id = required(session, words(rest)[0], 'inputs value rm <id>');
  if (!computer.removeInputValue(id)) throw new ShellError(view.say('noSuchCache', { id }));
  return done(view, view.say('valueRemoved'), { id });
}

async function clearValues(session: Session, rest: string): Promise<Reply> {
  const { computer, view } = session;
  const [id] = words(rest);
  if (id === undefined) computer.clearInputValues();
  else if (!computer.removeInputValue(id)) throw new ShellError(view.say('noSuchCache', { id }));
  return done(view, view.say('cacheCleared'));
}

function definitionOf({ computer, view }: Session, id: string): InputDefinition {
  const definition = computer.inputs().find((input) => input.id === id);
  if (!definition) throw new ShellError(view.say('notFound', { id }));
  return definition;
}

export const inputCommands: readonly ShellCommand[] = [
  { path: 'inputs load', usage: '@file', help: 'help_inputsLoad', argument: 'file', run: load },
  { path: 'inputs add', usage: '<json|@file>', help: 'help_inputsAdd', argument: 'file', run: add },
  { path: 'inputs update', usage: '<json|@file>', help: 'help_inputsUpdate', argument: 'file', run: add },
  { path: 'inputs rm', usage: '<id>', help: 'help_inputsRm', argument: 'input', run: remove },
  { path: 'inputs get', usage: '<id>', help: 'help_inputsGet', argument: 'input', run: get },
  { path: 'inputs list', usage: '', help: 'help_inputsList', argument: 'none', run: list },
  { path: 'inputs value list', usage: '', help: 'help_valueList', argument: 'none', run: listValues },
  { path: 'inputs value get', usage: '<id>', help: 'help_valueGet', argument: 'input', run: getValue },
  { path: 'inputs value set', usage: '<id> [<json|text>]', help: 'help_valueSet', argument: 'input', run: setValue },
  { path: 'inputs value rm', usage: '<id>', help: 'help_valueRm', argument: 'input', run: removeValue },
  { path: 'inputs value clear', usage: '[<id>]', help: 'help_valueClear', argument: 'input', run: clearValues },
];
