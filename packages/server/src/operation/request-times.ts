const BOUNDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100];

interface Sample {
  readonly labels: Record<string, string>;
  readonly value: number;
  readonly metricName?: string;
}

interface EventTimes {
  readonly verdicts: Map<string, number>;
  /** How many took at most as long as each bound, and beyond the last. */
  readonly buckets: number[];
  seconds: number;
}

/** Requests by event: their verdicts and a histogram of their times. Adding one costs two lookups and no allocation. */
export class RequestTimes {
  readonly #events = new Map<string, EventTimes>();

  add(event: string, verdict: string, seconds: number): void {
    let times = this.#events.get(event);
    if (!times) {
      times = { verdicts: new Map(), buckets: new Array(BOUNDS.length + 1).fill(0) as number[], seconds: 0 };
      this.#events.set(event, times);
    }
    times.verdicts.set(verdict, (times.verdicts.get(verdict) ?? 0) + 1);
    let bucket = 0;
    while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] as number)) bucket++;
    times.buckets[bucket] = (times.buckets[bucket] as number) + 1;
    times.seconds += seconds;
  }

  verdicts(): Sample[] {
    return [...this.#events].flatMap(([event, { verdicts }]) =>
      [...verdicts].map(([verdict, value]) => ({ labels: { event, verdict }, value })),
    );
  }

  /** A metric as a Prometheus registry reads it: cumulative buckets, sum and count. */
  histogram(name: string, help: string): object {
    const get = async () => ({
      name,
      help,
      type: 'histogram',
      aggregator: 'sum',
      values: [...this.#events].flatMap(([event, times]) => samples(name, event, times)),
    });
    return { name, get, reset: () => this.#events.clear() };
  }
}

function samples(name: string, event: string, { buckets, seconds }: EventTimes): Sample[] {
  let count = 0;
  const cumulative = buckets.map((inBucket, i) => {
    count += inBucket;
    return { labels: { event, le: String(BOUNDS[i] ?? '+Inf') }, value: count, metricName: `${name}_bucket` };
  });
  return [
    ...cumulative,
    { labels: { event }, value: seconds, metricName: `${name}_sum` },
    { labels: { event }, value: count, metricName: `${name}_count` },
  ];
}
