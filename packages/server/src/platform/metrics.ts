import { createServer, type Server, type ServerResponse } from 'node:http';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Answers the status of a GET on the internal port. */
type InternalPage = (query: URLSearchParams) => Promise<number>;

/** Figures for Prometheus. Labels are route templates and outcomes only, so that their number is bounded. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Histogram<'method' | 'route' | 'status'>;
  readonly jobs: Counter<'queue' | 'outcome'>;
  readonly #enabled: boolean;
  readonly #pages = new Map<string, InternalPage>();

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

  /** Puts something else on the internal port, for the machines beside this one. */
  page(path: string, page: InternalPage): void {
    this.#pages.set(path, page);
  }

  /** Serves `/metrics` and the internal pages on a port of their own, never on the public listener. */
  async listen(host: string, port: number): Promise<Server> {
    const server = createServer((request, response) => {
      this.#answer(request.method === 'GET' ? (request.url ?? '') : '', response).catch(() => {
        response.writeHead(503).end();
      });
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    return server;
  }

  async #answer(url: string, response: ServerResponse): Promise<void> {
    const [path = '', query] = url.split('?', 2);
    if (path === '/metrics') {
      const figures = await this.registry.metrics();
      response.writeHead(200, { 'content-type': this.registry.contentType }).end(figures);
      return;
    }
    const page = this.#pages.get(path);
    response.writeHead(page ? await page(new URLSearchParams(query)) : 404).end();
  }
}
