import type { NameForm } from '@a2c/hub';
import type { AgentScope } from '@a2c/protocol';
import type { Computer } from '../computer.js';

/** In what form an Agent asks for the tools, and which ones it may use. */
export interface ToolQuestion {
  readonly form: NameForm;
  readonly names: NameForm | undefined;
  readonly scope: AgentScope | undefined;
}

/** A list as JSON text. */
export interface ToolListText {
  readonly json: string;
  readonly bytes: number;
}

/** Size of the kept lists. Agents with other keys and generations receive other lists. */
const MAX_KEPT_BYTES = 32 * 2 ** 20;

/** The tool lists for Agents as JSON. Each is written once until the tools change. */
export class ToolLists {
  readonly #computer: Computer;
  readonly #lists = new Map<string, ToolListText>();
  #version = -1;
  #bytes = 0;

  constructor(computer: Computer) {
    this.#computer = computer;
  }

  get(question: ToolQuestion): ToolListText {
    if (this.#version !== this.#computer.toolsVersion) this.#clear();
    const { form, names, scope } = question;
    const key = JSON.stringify([form, names ?? form, scope?.tools ?? null, scope?.servers ?? null]);
    const known = this.#lists.get(key);
    if (known) return known;
    const json = JSON.stringify(this.#computer.getAvailableTools(form, names, scope));
    const list = { json, bytes: Buffer.byteLength(json) };
    this.#keep(key, list);
    return list;
  }

  #keep(key: string, list: ToolListText): void {
    this.#lists.set(key, list);
    this.#bytes += list.bytes;
    for (const [oldest, { bytes }] of this.#lists) {
      if (this.#bytes <= MAX_KEPT_BYTES) break;
      this.#lists.delete(oldest);
      this.#bytes -= bytes;
    }
  }

  #clear(): void {
    this.#version = this.#computer.toolsVersion;
    this.#lists.clear();
    this.#bytes = 0;
  }
}
