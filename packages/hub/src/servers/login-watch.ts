import type { ServerLogin } from '@a2c/login';

const POLL_MS = 1_000;

/** Waits until the login of a server changes, in this or any other process. */
export class LoginWatch {
  #login: ServerLogin | undefined;
  /** The login that the last connection attempt used. */
  #version: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Call this before every connection attempt. */
  async attempt(login: ServerLogin | undefined): Promise<void> {
    this.stop();
    this.#login = login;
    this.#version = await login?.version();
  }

  /** True if the server can have a login. */
  get hasLogin(): boolean {
    return this.#login !== undefined;
  }

  /** True if the last connection attempt used a stored login. */
  get isLoggedIn(): boolean {
    return this.#version !== undefined;
  }

  /** True if a login was stored, or renewed, since the last attempt. */
  async hasChanged(): Promise<boolean> {
    const version = await this.#login?.version();
    return version !== undefined && version !== this.#version;
  }

  /** Calls `onChange` once, after the next change. */
  start(onChange: () => void): void {
    this.stop();
    const check = async () => {
      const timer = this.#timer;
      if (!(await this.hasChanged()) || this.#timer !== timer) return;
      this.stop();
      onChange();
    };
    this.#timer = setInterval(() => {
      // An unreadable record is reported by the next attempt.
      void check().catch(() => {});
    }, POLL_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
