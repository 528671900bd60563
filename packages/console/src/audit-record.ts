import { randomUUID } from 'node:crypto';
import { isRecord } from '@a2c/protocol';

/**
 * A record of the audit log: who changed what. It contains no values and no arguments. A change has two records with
 * the same `request`: one before it takes effect, and one with its outcome. A refused one has the second only.
 */
export interface OperatorAuditRecord {
  /** ISO 8601, UTC. */
  readonly time: string;
  /** `operator:` and the name of the request. */
  readonly event: string;
  /** `begun`, `ok`, or the name of the error. */
  readonly verdict: string;
  /** Identifies the request. */
  readonly request: string;
  /** Who sent it; `unknown` without valid credentials. */
  readonly subject: string;
  readonly address: string;
  /** How many attempts without valid credentials were not recorded before this one. */
  readonly omitted?: number;
  /** Identifiers that the request names, such as `server` and `tool`. */
  readonly [identifier: string]: string | number | undefined;
}

/** Who sent a request without valid credentials. */
const UNKNOWN = 'unknown';

/** Of attempts without valid credentials, this many are recorded, and one more each minute. */
const MAX_UNKNOWN = 100;
const UNKNOWN_EVERY_MS = 60_000;

/**
 * Records only some of many attempts without valid credentials, because an audit log has a limited size and must not
 * lose what was changed. The next record says how many are missing.
 */
export function withoutFloods(audit: (record: OperatorAuditRecord) => void): typeof audit {
  let room = MAX_UNKNOWN;
  let countedAt = performance.now();
  let omitted = 0;
  return (record) => {
    if (record.subject === UNKNOWN) {
      const minutes = Math.floor((performance.now() - countedAt) / UNKNOWN_EVERY_MS);
      room = Math.min(MAX_UNKNOWN, room + minutes);
      countedAt += minutes * UNKNOWN_EVERY_MS;
      if (room === 0) {
        omitted++;
        return;
      }
      room--;
    }
    audit(omitted > 0 ? { ...record, omitted } : record);
    omitted = 0;
  };
}

/** An attempt to change something, as far as it is known. */
export class Attempt {
  subject = UNKNOWN;
  identifiers: Readonly<Record<string, string>> = {};
  readonly #id = randomUUID();
  readonly #name: string;
  readonly #address: string;
  readonly #audit: (record: OperatorAuditRecord) => void;

  constructor(name: string, address: string, audit: (record: OperatorAuditRecord) => void) {
    this.#name = name;
    this.#address = address;
    this.#audit = audit;
  }

  record(verdict: string): void {
    this.#audit({
      time: new Date().toISOString(),
      event: `operator:${this.#name}`,
      verdict,
      request: this.#id,
      subject: this.subject,
      address: this.#address,
      ...this.identifiers,
    });
  }
}

/** A longer name is refused later. */
const MAX_NAME_LENGTH = 256;

/** Names, but neither values nor arguments. */
const RECORDED = ['server', 'tool', 'input', 'sid', 'id', 'answer'];

/** The identifiers that a request names. */
export function identifiersIn(parameters: object): Record<string, string> {
  const { text, ...rest } = parameters as { readonly text?: string };
  const named = Object.entries(rest).filter(([key, value]) => RECORDED.includes(key) && typeof value === 'string');
  const servers = text === undefined ? [] : serversIn(text);
  return { ...(Object.fromEntries(named) as object), ...(servers.length > 0 && { servers: servers.join(', ') }) };
}

/** The names of the MCP servers in a submitted configuration, as far as it is JSON. */
function serversIn(text: string): string[] {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return [];
  }
  const { mcpServers, servers, name } = isRecord(document) ? document : {};
  const found = mcpServers ?? servers ?? (name === undefined ? document : [document]);
  const names = Array.isArray(found)
    ? found.map((each) => (isRecord(each) ? each.name : undefined))
    : Object.keys(isRecord(found) ? found : {});
  return names.filter((each) => typeof each === 'string').map((each) => each.slice(0, MAX_NAME_LENGTH));
}
