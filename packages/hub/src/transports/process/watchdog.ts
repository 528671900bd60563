import { type ChildProcess, spawn } from 'node:child_process';
import { HAS_GROUPS } from './process-group.js';

/**
 * Reads `+group` and `-group`. The end of its input means that whoever started it is gone, perhaps by SIGKILL: the groups
 * that are left have a second to follow their closed stdin, then get SIGTERM, and soon after SIGKILL: two seconds in
 * all, with room for a busy machine.
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
someone_left() {
  left=
  for group in $groups; do kill -s 0 -- "-$group" 2>/dev/null && left="$left $group"; done
  groups=$left
  [ -n "$left" ]
}
wait_fifths() {
  fifths=$1
  while [ "$fifths" -gt 0 ]; do
    someone_left || exit 0
    sleep 0.2 2>/dev/null || sleep 1
    fifths=$((fifths - 1))
  done
  someone_left || exit 0
}
wait_fifths 5
for group in $groups; do kill -s TERM -- "-$group" 2>/dev/null; done
wait_fifths 2
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
`;

/**
 * Nothing outlives us: one small process that ends our children's groups when we can no longer do so. It is there while there
 * are children, in a session of its own where no signal of our terminal reaches it, and never keeps us alive.
 */
class Watchdog {
  readonly #groups = new Set<number>();
  #shell: ChildProcess | undefined;

  watch(group: number): void {
    this.#groups.add(group);
    if (this.#shell) this.#tell(`+${group}\n`);
    else this.#start();
  }

  unwatch(group: number): void {
    if (!this.#groups.delete(group)) return;
    this.#tell(`-${group}\n`);
    if (this.#groups.size > 0) return;
    this.#shell?.stdin?.end();
    this.#shell = undefined;
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
    // Without a shell, or if somebody ends it, we do without until the next child.
    const forget = () => {
      if (this.#shell === shell) this.#shell = undefined;
    };
    shell.once('error', forget).once('exit', forget);
    shell.stdin.on('error', forget);
    shell.unref();
    (shell.stdin as unknown as { unref(): void }).unref();
    this.#tell([...this.#groups].map((group) => `+${group}\n`).join(''));
  }

  #tell(lines: string): void {
    this.#shell?.stdin?.write(lines);
  }
}

export const watchdog = new Watchdog();
