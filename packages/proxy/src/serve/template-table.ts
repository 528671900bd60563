import { matchesTemplate, parseTemplate, type UriTemplate } from './uri-template.js';

/** Templates of one server that are compared with URIs. */
const MAX_TEMPLATES = 100;

interface ServerTemplates {
  readonly listed: ReadonlySet<string>;
  readonly parsed: readonly UriTemplate[];
}

/** The URI templates in the last list of each server. */
export class TemplateTable {
  readonly #servers = new Map<string, ServerTemplates>();

  set(server: string, templates: readonly string[]): void {
    const parsed = templates.slice(0, MAX_TEMPLATES).flatMap((template) => parseTemplate(template) ?? []);
    this.#servers.set(server, { listed: new Set(templates), parsed });
  }

  lists(server: string, template: string): boolean {
    return this.#servers.get(server)?.listed.has(template) === true;
  }

  /** A server holds the URIs of its templates, except those of a template that fits every URI. */
  holds(server: string, uri: string): boolean {
    return this.#some(server, (template) => template.hasScheme && matchesTemplate(template, uri));
  }

  matches(server: string, uri: string): boolean {
    return this.#some(server, (template) => matchesTemplate(template, uri));
  }

  #some(server: string, isWanted: (template: UriTemplate) => boolean): boolean {
    return this.#servers.get(server)?.parsed.some(isWanted) === true;
  }
}
