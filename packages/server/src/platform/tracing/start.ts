import type { Logger } from '../log.ts';
import { noTracing, type Tracing, type TracingConfig } from './tracing.ts';

/** Without a configuration nothing of OpenTelemetry is even loaded. */
export async function startTracing(config: TracingConfig | undefined, log: Logger): Promise<Tracing> {
  if (!config) return noTracing;
  const { otelTracing } = await import('./otel.ts');
  return otelTracing(config, log);
}
