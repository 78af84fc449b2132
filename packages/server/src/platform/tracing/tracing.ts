import type { FastifyInstance } from 'fastify';
import type pg from 'pg';

/** Where traces go; see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables. */
export interface TracingConfig {
  protocol: 'http/protobuf' | 'http/json';
  sampler: 'always_on' | 'always_off' | 'traceidratio';
  /** Whether a caller's decision, that of a trusted proxy, goes before the sampler's. */
  parentBased: boolean;
  /** Share of the traces that are kept, 0 to 1. */
  ratio: number;
}

/** Port: spans of requests, statements and jobs. They name routes, tables and queues, and nothing that anybody typed. */
export interface Tracing {
  /** Comes before all other hooks, so that their statements belong to the request's span. */
  requests(app: FastifyInstance): void;
  /** Every statement on this connection becomes a span. */
  statements(client: pg.PoolClient, pool: string): void;
  job<T>(queue: string, work: () => Promise<T>): Promise<T>;
  /** Sends what is left. */
  stop(): Promise<void>;
}

export const noTracing: Tracing = {
  requests: () => undefined,
  statements: () => undefined,
  job: (_queue, work) => work(),
  stop: async () => undefined,
};
