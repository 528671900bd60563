import type { JsonObject } from '@a2c/config';
import type { Deadline } from '../deadline.js';
import { HubError } from '../errors.js';
import type { ManagedServer } from '../servers/managed-server.js';
import type { HubCallOptions } from './call-options.js';

/** The task that a call has begun. Its requests do not wait for a place: others could keep the call from its result. */
export class BegunTask {
  readonly #server: ManagedServer;
  readonly #id: { readonly taskId: JsonObject[string]; readonly awaitsTasks: boolean };
  readonly #options: HubCallOptions;
  readonly #deadline: Deadline;

  constructor(
    server: ManagedServer,
    id: { readonly taskId: JsonObject[string]; readonly awaitsTasks: boolean },
    options: HubCallOptions,
    deadline: Deadline,
  ) {
    this.#server = server;
    this.#id = id;
    this.#options = options;
    this.#deadline = deadline;
  }

  get server(): string {
    return this.#server.name;
  }

  /** Sends a request about the task; once more after a person has logged in. */
  async send(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const request = this.#request(method, params);
    try {
      return await this.#server.send(request, this.#options, this.#deadline);
    } catch (error) {
      const { logIn } = this.#options;
      const needsLogin = error instanceof HubError && error.kind === 'needs-login';
      if (!needsLogin || !logIn || !(await this.#deadline.race(logIn()))) throw error;
      return this.#server.send(request, this.#options, this.#deadline);
    }
  }

  /** Settles with the result. Cancels the task if the caller gives up; any error shows that the call has begun. */
  async end(result: Promise<JsonObject>): Promise<JsonObject> {
    const { signal } = this.#deadline;
    try {
      return await result;
    } catch (error) {
      if (signal.aborted) {
        // The server would continue with the task.
        void this.#server.abandon(this.#request('tasks/cancel', {}), this.#options);
        throw signal.reason;
      }
      throw error instanceof HubError ? error.ofBegunCall() : error;
    }
  }

  #request(method: string, params: JsonObject) {
    const { taskId, awaitsTasks } = this.#id;
    return { method, params: { taskId, ...params }, awaitsTasks, isOfTask: true };
  }
}
