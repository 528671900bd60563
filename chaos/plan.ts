import { createHash } from 'node:crypto';
import { AGENTS, BALANCER, COMPUTERS, type Layout, MCP_CLIENT, NODES, PROXY, REDIS } from './members.js';
import { Random } from './random.js';

const PROGRAMS = [...NODES, ...NODES, ...COMPUTERS, ...AGENTS, PROXY, MCP_CLIENT, BALANCER, REDIS, REDIS];

/** The connections through our own TCP proxy: of every member to the balancer, and of every node to Redis. */
export const WIRES: readonly string[] = [...COMPUTERS, ...AGENTS, PROXY, ...NODES];

interface Kind {
  readonly weight: number;
  readonly targets: readonly string[];
  /** The shortest and the longest duration. */
  readonly ms: readonly [number, number];
}

/** Every kind of fault. The last group are combinations, whose parts the target starts. */
export const KINDS = {
  kill: { weight: 14, targets: PROGRAMS, ms: [50, 1_500] },
  terminate: { weight: 6, targets: [...NODES, ...NODES, ...COMPUTERS, ...AGENTS, PROXY], ms: [50, 1_500] },
  pause: { weight: 14, targets: PROGRAMS, ms: [200, 3_000] },
  'long pause': { weight: 3, targets: [...NODES, REDIS], ms: [6_500, 8_500] },
  cut: { weight: 9, targets: WIRES, ms: [0, 1_000] },
  delay: { weight: 7, targets: WIRES, ms: [500, 3_000] },
  'half-open': { weight: 7, targets: WIRES, ms: [500, 4_000] },
  'kill child': { weight: 6, targets: COMPUTERS, ms: [0, 0] },
  'pause child': { weight: 4, targets: COMPUTERS, ms: [200, 3_000] },
  'slow child': { weight: 4, targets: COMPUTERS, ms: [500, 3_000] },
  'dying child': { weight: 5, targets: COMPUTERS, ms: [200, 1_000] },
  'disk full': { weight: 5, targets: [...NODES, ...COMPUTERS, PROXY], ms: [500, 3_000] },
  'clock jump': { weight: 5, targets: [...NODES, ...COMPUTERS, ...AGENTS, PROXY], ms: [500, 3_000] },
  'hostile packets': { weight: 6, targets: [...NODES, BALANCER], ms: [200, 1_000] },

  'crash during pause': { weight: 5, targets: [...NODES, ...COMPUTERS], ms: [300, 2_000] },
  'drain during crash': { weight: 5, targets: NODES, ms: [300, 1_500] },
  'restart during repeat': { weight: 6, targets: COMPUTERS, ms: [50, 1_500] },
  'Redis lost during pause': { weight: 4, targets: NODES, ms: [500, 3_000] },
} as const satisfies Record<string, Kind>;

export type FaultKind = keyof typeof KINDS;

export interface Fault {
  /** From 1, over all rounds. */
  readonly number: number;
  readonly kind: FaultKind;
  readonly target: string;
  /** When it starts, from the start of its burst. */
  readonly atMs: number;
  readonly forMs: number;
  /** Selects a variant, from 0 to 9. */
  readonly variant: number;
}

/** A round starts a new system. After each burst of faults the system must heal. */
export interface Round {
  readonly layout: Layout;
  readonly bursts: readonly (readonly Fault[])[];
}

const BURST = 10;
const ROUND = 250;
const SPACING_MS: readonly [number, number] = [100, 1_100];

/** The faults of a seed: the same for the same seed and number. */
export function planOf(seed: number, faults: number): readonly Round[] {
  const random = new Random(seed);
  const rounds = Math.max(Math.min(2, Math.ceil(faults / BURST)), Math.ceil(faults / ROUND));
  let number = 0;
  return Array.from({ length: rounds }, (_, i) => {
    const end = Math.round((faults * (i + 1)) / rounds);
    const bursts: Fault[][] = [];
    while (number < end) {
      let atMs = 0;
      const burst = Array.from({ length: Math.min(BURST, end - number) }, (): Fault => {
        atMs += random.integer(...SPACING_MS);
        number++;
        return { number, atMs, ...fault(random) };
      });
      bursts.push(burst);
    }
    return { layout: (i + seed) % 2 === 0 ? 'sharded' : 'spread', bursts };
  });
}

const WEIGHTS = Object.fromEntries(Object.entries(KINDS).map(([kind, { weight }]) => [kind, weight])) as Record<
  FaultKind,
  number
>;

function fault(random: Random): Omit<Fault, 'number' | 'atMs'> {
  const kind = random.weighted(WEIGHTS);
  const { targets, ms }: Kind = KINDS[kind];
  return { kind, target: random.pick(targets), forMs: random.integer(...ms), variant: random.integer(0, 9) };
}

/** A short text that is equal for equal plans. */
export function fingerprint(plan: readonly Round[]): string {
  return createHash('sha256').update(JSON.stringify(plan)).digest('hex').slice(0, 12);
}
