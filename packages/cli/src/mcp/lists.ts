/** Servers, resources and prompts as tables, for people. */
import type { JsonValue, ServerConfig } from '@a2c/config';
import { shellWords } from '@a2c/protocol';
import { table } from '../computer/shell/table.js';
import { stdoutView } from '../computer/shell/view.js';

/** An item of a list. Its fields are as the server sent them. */
type Item = Readonly<Record<string, JsonValue | undefined>>;

/** The servers of a configuration. The caller has masked their secrets. */
export function serversText(servers: readonly ServerConfig[]): string {
  const rows = servers.map(({ name, transport, disabled }) => [
    name,
    transport.type,
    `${disabled ? '(disabled) ' : ''}${targetOf(transport)}`,
  ]);
  return tableOf(['server', 'type', 'starts or connects to'], rows, '(no servers)');
}

function targetOf(transport: ServerConfig['transport']): string {
  if (transport.type === 'stdio') return shellWords(transport.argv);
  return transport.type === 'unix' ? transport.unix_path : transport.url;
}

export function resourcesText(resources: readonly Item[], templates: readonly Item[]): string {
  const rows = [...resources, ...templates].map(({ uri, uriTemplate, name, description }) => [
    textOf(uri ?? uriTemplate),
    textOf(description ?? name),
  ]);
  return tableOf(['resource', 'description'], rows, '(no resources)');
}

export function promptsText(prompts: readonly Item[]): string {
  const rows = prompts.map(({ name, arguments: parameters, description }) => {
    const items = Array.isArray(parameters) ? (parameters as readonly Item[]) : [];
    const names = items.map((item) => `${textOf(item?.name)}${item?.required === true ? '' : '?'}`);
    return [`${textOf(name)}(${names.join(', ')})`, textOf(description)];
  });
  return tableOf(['prompt', 'description'], rows, '(no prompts)');
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function tableOf(headings: readonly string[], rows: readonly (readonly string[])[], none: string): string {
  return rows.length === 0 ? none : table(headings, rows, stdoutView('en'));
}
