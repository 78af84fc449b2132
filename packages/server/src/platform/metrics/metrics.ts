import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { inLane } from '../work-context.ts';

interface Shape<Label extends string> {
  /** Stable: dashboards and alerts name it. Listed in docs/operations.md. */
  name: `tonerow_${string}`;
  help: string;
  labelNames?: readonly Label[];
}

export type Sample<Label extends string> = [labels: Partial<Record<Label, string>>, value: number];

/**
 * - `off`: counts, but serves nothing.
 * - `report`: one of several API processes; the leading process collects its metrics.
 * - `serve`: serves Prometheus, including the metrics from the database.
 */
export type MetricsMode = 'off' | 'report' | 'serve';

const MEASURE_TIMEOUT = 3000;

// gauges whose names would end like counters: linters reject those, and the names without the ending have the same
// value
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Figures for Prometheus. Labels are route templates and outcomes only, so that their number is bounded. */
export class Metrics {
  readonly registry = new Registry();
  readonly mode: MetricsMode;
  readonly #requests: Histogram<'method' | 'route' | 'status'>;

  constructor(mode: MetricsMode) {
    this.mode = mode;
    this.#requests = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the request to the end of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [this.registry],
    });
    if (mode === 'off') return;
    collectDefaultMetrics({ register: this.registry });
    for (const name of MISNAMED) this.registry.removeSingleMetric(name);
  }

  observe(method: string, route: string, status: number, seconds: number): void {
    if (this.mode !== 'off') this.#requests.observe({ method, route, status: String(status) }, seconds);
  }

  /** Counts what this process has done since it started. */
  counter<Label extends string = never>({ labelNames = [], ...shape }: Shape<Label>): Counter<Label> {
    return new Counter({ ...shape, labelNames, registers: [this.registry] });
  }

  /** Measures what this process holds right now; several processes are added up. */
  gauge<Label extends string = never>(
    { labelNames = [], ...shape }: Shape<Label>,
    read: () => Sample<Label>[],
    aggregator: 'sum' | 'min' = 'sum',
  ): void {
    if (this.mode === 'off') return;
    const gauge: Gauge<Label> = new Gauge({
      ...shape,
      labelNames,
      aggregator,
      registers: [this.registry],
      collect: () => fill(gauge, read()),
    });
  }

  /**
   * A system-wide figure, read from the database when metrics are collected, at most once in `every` milliseconds.
   * Every serving process reports the same value; while the database cannot be reached, the figure is absent.
   */
  measured<Label extends string = never>(
    { labelNames = [], ...shape }: Shape<Label>,
    measure: () => Promise<Sample<Label>[]>,
    every = 1000,
  ): void {
    if (this.mode !== 'serve') return;
    let current: Promise<Sample<Label>[]> | undefined;
    const gauge: Gauge<Label> = new Gauge({
      ...shape,
      labelNames,
      aggregator: 'first',
      registers: [this.registry],
      async collect() {
        current ??= kept(inLane('jobs', measure), every, () => {
          current = undefined;
        });
        fill(gauge, await inTime(current));
      },
    });
  }
}

function fill<Label extends string>(gauge: Gauge<Label>, samples: Sample<Label>[]): void {
  gauge.reset();
  for (const [labels, value] of samples) gauge.set(labels as Record<Label, string>, value);
}

/** Keeps a result for a while, and a failure only as long as it takes to happen. */
function kept<T>(measuring: Promise<T>, every: number, drop: () => void): Promise<T> {
  measuring.then(() => setTimeout(drop, every).unref(), drop);
  return measuring;
}

/** Leaves out figures that take too long or fail, so that the others are answered. */
async function inTime<T>(measuring: Promise<T[]>): Promise<T[]> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<T[]>((resolve) => {
    timer = setTimeout(() => resolve([]), MEASURE_TIMEOUT);
  });
  try {
    return await Promise.race([measuring, limit]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}
