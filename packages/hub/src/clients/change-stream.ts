import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '@a2c/config';
import { Backoff } from '@a2c/protocol';
import type { Client, McpSubscription, SubscriptionFilter } from '@modelcontextprotocol/client';
import { SerialQueue } from '../serial-queue.js';

const LISTEN_TIMEOUT_MS = 10_000;
const REOPEN_MIN_MS = 1_000;
const REOPEN_MAX_MS = 60_000;

/** The one `subscriptions/listen` stream of a modern connection: changes of lists and of subscribed resources. */
export class ChangeStream {
  readonly #sdk: Client;
  readonly #isOpen: () => boolean;
  readonly #onNotification: (method: string, params: JsonObject) => void;
  readonly #queue = new SerialQueue();
  /** Not reset after a success: a server that keeps ending the stream is asked less and less often. */
  readonly #backoff = new Backoff(REOPEN_MIN_MS, REOPEN_MAX_MS);
  #subscription: McpSubscription | undefined;
  #uris: readonly string[] = [];

  constructor(sdk: Client, isOpen: () => boolean, onNotification: (method: string, params: JsonObject) => void) {
    this.#sdk = sdk;
    this.#isOpen = isOpen;
    this.#onNotification = onNotification;
  }

  /** Replaces the subscription by one for list changes and these resources. */
  listen(uris: readonly string[]): Promise<void> {
    return this.#queue.run(() => this.#listen(uris));
  }

  async #listen(uris: readonly string[]): Promise<void> {
    const { tools, prompts, resources } = this.#sdk.getServerCapabilities() ?? {};
    const filter: SubscriptionFilter = {
      ...(tools?.listChanged && { toolsListChanged: true }),
      ...(prompts?.listChanged && { promptsListChanged: true }),
      ...(resources?.listChanged && { resourcesListChanged: true }),
      ...(resources?.subscribe && uris.length > 0 && { resourceSubscriptions: [...uris] }),
    };
    if (Object.keys(filter).length === 0) return;
    // Without a signal: the SDK would end the open subscription when it aborts.
    const opened = await this.#sdk.listen(filter, { timeout: LISTEN_TIMEOUT_MS });
    const previous = this.#subscription;
    this.#subscription = opened;
    this.#uris = uris;
    await previous?.close();
    void opened.closed.then((by) => (by === 'local' ? undefined : this.#reopen(opened)));
  }

  /** Reopens a subscription that the server ended, then reports every list and resource as changed. */
  async #reopen(ended: McpSubscription): Promise<void> {
    while (this.#isOpen() && this.#subscription === ended) {
      await delay(this.#backoff.next(), undefined, { ref: false });
      try {
        await this.#queue.run(async () => {
          if (!this.#isOpen() || this.#subscription !== ended) return;
          await this.#listen(this.#uris);
          for (const list of ['tools', 'resources', 'prompts']) {
            this.#onNotification(`notifications/${list}/list_changed`, {});
          }
          for (const uri of this.#uris) this.#onNotification('notifications/resources/updated', { uri });
        });
      } catch {
        // Still unreachable: try again after the next delay. Requests report a lost connection themselves.
      }
    }
  }
}
