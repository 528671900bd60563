import { HubError } from '../errors.js';

/** The state of a server's connection. */
export type ServerState = 'initialized' | 'connected' | 'disconnected' | 'needs-login' | 'error';

/** The allowed transitions. `error`, `needs-login` and `initialized` can be reached from every state. */
const TRANSITIONS: Readonly<Record<ServerState, readonly ServerState[]>> = {
  initialized: ['connected', 'needs-login', 'error', 'initialized'],
  connected: ['disconnected', 'needs-login', 'error', 'initialized'],
  disconnected: ['needs-login', 'error', 'initialized'],
  'needs-login': ['needs-login', 'error', 'initialized'],
  error: ['needs-login', 'error', 'initialized'],
};

/** The state of one connection. A transition that is not allowed throws and changes nothing. */
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
