import type { FastifyInstance } from 'fastify';
import type { PluginsFirst } from '../limits/plugins-first.ts';
import { enter, type LaneName, newWork } from '../work-context.ts';
import type { App } from './app-kit.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whose database connections a route uses. Default `api`. */
    lane?: LaneName;
  }
  interface FastifyRequest {
    work: ReturnType<typeof newWork> | null;
  }
}

/** Runs each request in the lane of its route. Registered before any other hook that queries the database. */
export function lanes(app: FastifyInstance, pluginsFirst: PluginsFirst): void {
  app.decorateRequest('work', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const { lane = 'api' } = request.routeOptions.config;
    if (lane === 'licensing') pluginsFirst.note();
    request.work = newWork(lane, {
      ip: request.ip,
      userAgent: request.headers['user-agent'] ?? null,
    });
    enter(request.work, done);
  });
  // callbacks after the body was read come from the socket, so the lane has to be entered again
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.work) enter(request.work, done);
    else done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    request.work?.patience?.end();
    if (request.work?.lane === 'licensing') pluginsFirst.note();
    done();
  });
}

/** Routes that all belong to one lane. */
export function onLane(lane: LaneName, ...plugins: ((app: App) => Promise<void>)[]) {
  return async (app: App): Promise<void> => {
    app.addHook('onRoute', (route) => {
      route.config = { ...route.config, lane };
    });
    for (const plugin of plugins) await app.register(plugin);
  };
}
