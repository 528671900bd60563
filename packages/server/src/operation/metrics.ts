import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import { RequestStatistics } from './request-statistics.js';

export interface MetricSources {
  readonly connections: () => number;
  readonly offices: () => number;
  readonly callsInFlight: () => number;
}

type Direction = 'in' | 'out';
type RefusalReason = 'gate' | 'authentication' | 'slow' | 'unfinished' | 'expired' | 'revoked' | 'kicked';

/** The metrics of a Server in the text format of Prometheus. */
export interface ServerMetrics {
  /** The value of the `Content-Type` header. */
  readonly contentType: string;
  /** Collects and formats all metrics. */
  text(): Promise<string>;
}

/**
 * Collects the metrics, in a registry of its own that does not collide with one of the embedding process. Values that
 * change with every message are plain numbers, which are turned into labelled metrics when they are scraped.
 */
export class Metrics implements ServerMetrics {
  readonly #registry = new Registry();
  readonly #requests = new RequestStatistics();
  readonly #bytes: Record<Direction, number> = { in: 0, out: 0 };
  readonly #refused: Counter<'reason'>;

  constructor(sources: MetricSources) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry, prefix: 'a2c_' });
    this.#gauge('a2c_connections', 'Sockets connected to this node', sources.connections);
    this.#gauge('a2c_offices', 'Offices with members on this node', sources.offices);
    this.#gauge('a2c_calls_in_flight', 'Requests pending at a Computer', sources.callsInFlight);
    this.#counter('a2c_requests_total', 'Requests by event and verdict', ['event', 'verdict'], () =>
      this.#requests.verdicts(),
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
      this.#requests.histogram('a2c_request_seconds', 'Time from a request to its answer') as Metric,
    );
  }

  request(event: string, verdict: string, seconds: number): void {
    this.#requests.add(event, verdict, seconds);
  }

  bytes(direction: Direction, count: number): void {
    this.#bytes[direction] += count;
  }

  refused(reason: RefusalReason): void {
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
