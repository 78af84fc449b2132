import { createServer, type Server } from 'node:http';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Figures for Prometheus. Labels are route templates and outcomes only, so that their number is bounded. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Histogram<'method' | 'route' | 'status'>;
  readonly jobs: Counter<'queue' | 'outcome'>;
  readonly #enabled: boolean;

  constructor(enabled: boolean) {
    this.#enabled = enabled;
    this.#requests = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the request to the end of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [this.registry],
    });
    this.jobs = new Counter({
      name: 'jobs_total',
      help: 'Background jobs by outcome',
      labelNames: ['queue', 'outcome'],
      registers: [this.registry],
    });
    if (enabled) collectDefaultMetrics({ register: this.registry });
  }

  observe(method: string, route: string, status: number, seconds: number): void {
    if (this.#enabled) this.#requests.observe({ method, route, status: String(status) }, seconds);
  }

  /** Serves `/metrics` on a port of its own, never on the public listener. */
  async listen(host: string, port: number): Promise<Server> {
    const server = createServer(async (request, response) => {
      if (request.url !== '/metrics') {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, { 'content-type': this.registry.contentType }).end(await this.registry.metrics());
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    return server;
  }
}
