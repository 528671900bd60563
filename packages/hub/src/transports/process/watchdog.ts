import { type ChildProcess, spawn } from 'node:child_process';
import { HAS_GROUPS } from './process-group.js';

/**
 * Reads lines `+group` and `-group`. The end of its input means that the parent process has ended, perhaps by SIGKILL.
 * The remaining groups have a second to exit by themselves, then get SIGTERM, and shortly after SIGKILL: within two
 * seconds.
 */
const SCRIPT = `
trap '' HUP INT TERM QUIT
groups=' '
while read -r line; do
  group=\${line#?}
  case $line in
    +*) groups="$groups$group " ;;
    -*) case $groups in *" $group "*) groups="\${groups%%" $group "*} \${groups#*" $group "}" ;; esac ;;
  esac
done
groups_left() {
  left=
  for group in $groups; do kill -s 0 -- "-$group" 2>/dev/null && left="$left $group"; done
  groups=$left
  [ -n "$left" ]
}
wait_fifths() {
  fifths=$1
  while [ "$fifths" -gt 0 ]; do
    groups_left || exit 0
    sleep 0.2 2>/dev/null || sleep 1
    fifths=$((fifths - 1))
  done
  groups_left || exit 0
}
wait_fifths 5
for group in $groups; do kill -s TERM -- "-$group" 2>/dev/null; done
wait_fifths 2
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
`;

/** The shell serves the children of the next moment too: starting a process takes a large process many milliseconds. */
const IDLE_MS = 1_000;

/**
 * Ends all child processes when this process is killed: a small shell process that runs as long as there are children.
 * It has its own session, out of reach of terminal signals, and does not keep this process alive.
 */
class Watchdog {
  readonly #groups = new Set<number>();
  #shell: ChildProcess | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  watch(group: number): void {
    clearTimeout(this.#idleTimer);
    this.#groups.add(group);
    if (this.#shell) this.#send(`+${group}\n`);
    else this.#start();
  }

  unwatch(group: number): void {
    if (!this.#groups.delete(group)) return;
    this.#send(`-${group}\n`);
    if (this.#groups.size > 0) return;
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      this.#shell?.stdin?.end();
      this.#shell = undefined;
    }, IDLE_MS).unref();
  }

  #start(): void {
    if (!HAS_GROUPS) return;
    const shell = spawn('/bin/sh', ['-c', SCRIPT], {
      cwd: '/',
      detached: true,
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#shell = shell;
    // If the shell is missing or was killed, there is no watchdog until the next child.
    const forget = () => {
      if (this.#shell === shell) this.#shell = undefined;
    };
    shell.once('error', forget).once('exit', forget);
    shell.stdin.on('error', forget);
    shell.unref();
    (shell.stdin as unknown as { unref(): void }).unref();
    this.#send([...this.#groups].map((group) => `+${group}\n`).join(''));
  }

  #send(lines: string): void {
    this.#shell?.stdin?.write(lines);
  }
}

export const watchdog = new Watchdog();
