import type { Metrics } from '#platform/metrics/metrics.ts';
import type { Lanes, PoolFigures } from './pools.ts';

export function poolFigures(metrics: Metrics, lanes: Lanes): void {
  const each = (figure: keyof PoolFigures) => () =>
    Object.entries(lanes.figures()).map(
      ([pool, figures]) => [{ pool }, figures[figure]] satisfies [{ pool: string }, number],
    );
  const labelNames = ['pool'] as const;
  metrics.gauge(
    { name: 'tonerow_db_pool_in_use', help: 'Database connections that are working, by pool', labelNames },
    each('used'),
  );
  metrics.gauge(
    { name: 'tonerow_db_pool_waiting', help: 'Requests that wait for a database connection, by pool', labelNames },
    each('waiting'),
  );
  metrics.gauge(
    { name: 'tonerow_db_pool_size', help: 'Database connections that a pool may open', labelNames },
    each('size'),
  );
}
