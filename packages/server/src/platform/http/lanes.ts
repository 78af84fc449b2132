import type { FastifyInstance } from 'fastify';
import { enter, type LaneName, newWork } from '../db/lane.ts';
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

/** Lets everything that a request does run in the lane of its route. Comes before every other hook that asks the database. */
export function lanes(app: FastifyInstance): void {
  app.decorateRequest('work', null);
  app.addHook('onRequest', (request, _reply, done) => {
    request.work = newWork(request.routeOptions.config.lane ?? 'api');
    enter(request.work, done);
  });
  // what goes on after a body was read comes from the socket, and has to enter anew
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.work) enter(request.work, done);
    else done();
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
