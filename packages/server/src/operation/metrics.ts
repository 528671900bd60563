import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import { RequestTimes } from './request-times.js';

export interface MetricSources {
  readonly connections: () => number;
  readonly offices: () => number;
  readonly callsInFlight: () => number;
}

type Direction = 'in' | 'out';
type Refusal = 'gate' | 'authentication' | 'slow' | 'expired';

/**
 * What an operator scrapes from `/metrics`, in a registry of our own so that embedding never collides. What happens on
 * every message is counted in plain numbers and given its labels when somebody looks.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #times = new RequestTimes();
  readonly #bytes: Record<Direction, number> = { in: 0, out: 0 };
  readonly #refused: Counter<'reason'>;

  constructor(sources: MetricSources) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry, prefix: 'a2c_' });
    this.#gauge('a2c_connections', 'Sockets connected to this node', sources.connections);
    this.#gauge('a2c_offices', 'Offices with members on this node', sources.offices);
    this.#gauge('a2c_calls_in_flight', 'Requests waiting for a Computer', sources.callsInFlight);
    this.#counter('a2c_requests_total', 'Requests by event and verdict', ['event', 'verdict'], () =>
      this.#times.verdicts(),
    );
    this.#counter('a2c_bytes_total', 'Message bytes', ['direction'], () =>
      Object.entries(this.#bytes).map(([direction, value]) => ({ labels: { direction }, value })),
    );
    this.#refused = new Counter({
      name: 'a2c_refused_total',
      help: 'Connections refused or ended, by reason',
      labelNames: ['reason'],
      registers,
    });
    this.#registry.registerMetric(
      this.#times.histogram('a2c_request_seconds', 'Time from a request to its answer') as Metric,
    );
  }

  request(event: string, verdict: string, seconds: number): void {
    this.#times.add(event, verdict, seconds);
  }

  bytes(direction: Direction, count: number): void {
    this.#bytes[direction] += count;
  }

  refused(reason: Refusal): void {
    this.#refused.inc({ reason });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  #gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      collect() {
        this.set(read());
      },
    });
  }

  #counter(
    name: string,
    help: string,
    labelNames: string[],
    read: () => { labels: Record<string, string>; value: number }[],
  ): void {
    new Counter({
      name,
      help,
      labelNames,
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const { labels, value } of read()) this.inc(labels, value);
      },
    });
  }
}
