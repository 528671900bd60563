import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';
import { COMPUTER_BINARY, type Workplace } from './a2c.js';

/** A pseudo-terminal in Python, because Node has none. It relays input and output and exits as its child does. */
const PTY = `
import fcntl, os, pty, select, struct, sys, termios
columns = int(sys.argv[1])
pid, master = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack('HHHH', 40, columns, 0, 0))
sources = [0, master]
while True:
    ready, _, _ = select.select(sources, [], [])
    if 0 in ready:
        typed = os.read(0, 65536)
        if typed: os.write(master, typed)
        else: sources.remove(0)
    if master in ready:
        try: shown = os.read(master, 65536)
        except OSError: break
        if not shown: break
        os.write(1, shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

export const KEYS = {
  enter: '\r',
  up: '\u001b[A',
  down: '\u001b[B',
  tab: '\t',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  left: '\u001b[D',
};

/** A simulated user at a pseudo-terminal, who waits for text and types. */
export class Person {
  readonly #child;
  #shown = '';
  #seen = 0;

  constructor(
    place: Workplace,
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
    columns = 100,
    program = COMPUTER_BINARY,
  ) {
    const whole = {
      ...process.env,
      A2C_HOME: place.home,
      LC_ALL: 'C.UTF-8',
      TERM: 'xterm-256color',
      NO_COLOR: '1',
      ...env,
    };
    const command = ['-c', PTY, String(columns), process.execPath, program, ...args];
    this.#child = spawn('/usr/bin/python3', command, { cwd: place.folder, env: whole });
    this.#child.stdout.on('data', (chunk: Buffer) => {
      this.#shown += chunk;
    });
    onTestFinished(() => void this.#child.kill('SIGKILL'));
  }

  /** All output so far, without cursor movements. */
  get screen(): string {
    return stripVTControlCharacters(this.#shown);
  }

  get raw(): string {
    return this.#shown;
  }

  /** Waits until the text appears after the previous match; returns the output up to it. */
  async sees(text: string, ms = 60_000): Promise<string> {
    const deadline = Date.now() + ms;
    for (;;) {
      const at = this.screen.indexOf(text, this.#seen);
      if (at >= 0) {
        const before = this.screen.slice(this.#seen, at);
        this.#seen = at + text.length;
        return before;
      }
      if (Date.now() > deadline)
        throw new Error(`"${text}" did not appear; the screen shows:\n${this.screen.slice(this.#seen)}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  types(...keys: readonly string[]): void {
    this.#child.stdin.write(keys.join(''));
  }

  /** Types one key whose bytes arrive in two chunks. */
  async typesInPieces(key: string): Promise<void> {
    const bytes = Buffer.from(key);
    this.#child.stdin.write(bytes.subarray(0, 1));
    // Half a key has no visible effect to wait for. If both halves arrive together, the test proves less but passes.
    await new Promise((resolve) => setTimeout(resolve, 200));
    this.#child.stdin.write(bytes.subarray(1));
  }

  /** Types a command at the prompt and returns the output before the next prompt. */
  async does(command: string): Promise<string> {
    this.types(command, KEYS.enter);
    return this.sees('a2c> ');
  }

  /** The process id of a2c, not of the pseudo-terminal. */
  signal(signal: NodeJS.Signals): void {
    const pid = execFileSync('ps', ['-o', 'pid=', '--ppid', String(this.#child.pid)], { encoding: 'utf8' });
    process.kill(Number(pid), signal);
  }

  async leaves(): Promise<number> {
    const [code] = (this.#child.exitCode === null ? await once(this.#child, 'exit') : [this.#child.exitCode]) as [
      number,
    ];
    return code;
  }
}
