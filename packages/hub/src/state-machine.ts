import { HubError } from './errors.js';

export type ServerState = 'initialized' | 'connected' | 'disconnected' | 'error';

/** From each state to where; `error` and `initialized` can be reached from everywhere. */
const TRANSITIONS: Readonly<Record<ServerState, readonly ServerState[]>> = {
  initialized: ['connected', 'error', 'initialized'],
  connected: ['disconnected', 'error', 'initialized'],
  disconnected: ['error', 'initialized'],
  error: ['error', 'initialized'],
};

/** The life of one connection as it is seen from outside. A step that makes no sense is refused and changes nothing. */
export class StateMachine {
  readonly #server: string;
  readonly #onChange: (state: ServerState) => void;
  #state: ServerState = 'initialized';

  constructor(server: string, onChange: (state: ServerState) => void) {
    this.#server = server;
    this.#onChange = onChange;
  }

  get state(): ServerState {
    return this.#state;
  }

  to(state: ServerState): void {
    if (!TRANSITIONS[this.#state].includes(state)) {
      const message = `server "${this.#server}" cannot become ${state} while it is ${this.#state}`;
      throw new HubError('refused', message, { server: this.#server });
    }
    const changed = this.#state !== state;
    this.#state = state;
    if (changed) this.#onChange(state);
  }
}
