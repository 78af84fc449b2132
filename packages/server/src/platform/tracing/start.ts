import type { Logger } from '../log.ts';
import { noTracing, type Tracing, type TracingConfig } from './tracing.ts';

/** Starts tracing. OpenTelemetry is not even loaded without a configuration. */
export async function startTracing(config: TracingConfig | undefined, log: Logger): Promise<Tracing> {
  if (!config) return noTracing;
  const { otelTracing } = await import('./otel.ts');
  return otelTracing(config, log);
}
