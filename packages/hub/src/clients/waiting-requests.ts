import { jsonSize } from '@a2c/protocol';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';

/** A person answers one request after the other. */
const MAX_REQUESTS = 32;

const MIB = 2 ** 20;

/** Characters of a request. A question is for a person; a message for a model may have images. */
const MAX_SIZE: Readonly<Record<string, number>> = { 'elicitation/create': MIB / 4 };
const MAX_OTHER_SIZE = 4 * MIB;

/** Characters of all requests that wait. */
const MAX_WAITING_SIZE = 16 * MIB;

/**
 * The requests of a server that wait for an answer. Each takes memory here and at the client, and a server may send
 * them without end: one over the limits gets an error.
 */
export class WaitingRequests {
  #count = 0;
  #size = 0;

  async answer<T>(method: string, params: unknown, answer: () => Promise<T>): Promise<T> {
    const size = this.#check(method, params);
    this.#count++;
    this.#size += size;
    try {
      return await answer();
    } finally {
      this.#count--;
      this.#size -= size;
    }
  }

  #check(method: string, params: unknown): number {
    const most = MAX_SIZE[method] ?? MAX_OTHER_SIZE;
    const size = jsonSize(params, most);
    if (size > most) throw refusal(`the request ${method} has more than ${most / 1_024} KiB of text`);
    if (this.#count >= MAX_REQUESTS || this.#size + size > MAX_WAITING_SIZE)
      throw refusal(`${this.#count} requests of this server wait for an answer, and no more may wait`);
    return size;
  }
}

const refusal = (problem: string) => new ProtocolError(ProtocolErrorCode.InvalidRequest, problem);
