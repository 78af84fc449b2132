import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import type { App } from '#platform/http/app-kit.ts';
import { type Readiness, readyAnswer, startedAnswer, type Warnings } from './health.ts';

const State = z.object({
  status: z.string(),
  reason: z.string().optional(),
  warnings: z.array(z.string()).optional(),
});

/**
 * `/livez`: the process answers. `/startupz`: its start is over. `/readyz`: it may take traffic: database reachable, schema current, not draining. What
 * an operator should look at, but licensing does not need, is a warning there, such as `disk_full`.
 */
export function systemRoutes(readiness: Readiness, warnings: Warnings, isStarted: () => boolean) {
  return async (app: App): Promise<void> => {
    app.get(
      '/livez',
      {
        config: { access: { as: 'public' }, rateLimit: false },
        schema: { hide: true, response: { 200: State, 500: z.any() } },
      },
      async () => ({ status: 'alive' }),
    );
    app.get(
      '/startupz',
      {
        config: { access: { as: 'public' }, rateLimit: false },
        schema: { hide: true, response: { 200: State, 500: z.any(), 503: State } },
      },
      async (_request, reply) => {
        const { code, body } = startedAnswer(isStarted());
        return reply.code(code).send(body);
      },
    );
    app.get(
      '/readyz',
      {
        config: { access: { as: 'public' }, rateLimit: false },
        schema: { hide: true, response: { 200: State, 500: z.any(), 503: State } },
      },
      async (_request, reply) => {
        const { code, body } = await readyAnswer(readiness, warnings);
        if (code === 503) reply.header('retry-after', '5');
        return reply.code(code).send(body);
      },
    );
    const contract = once(() => JSON.stringify(app.swagger()));
    const compressed = once(() => gzipSync(contract()));
    for (const address of ['/api/openapi.json', '/openapi.json']) {
      app.get(
        address,
        {
          config: { access: { as: 'public' } },
          schema: { hide: true, response: { 200: z.any(), 429: z.any(), 500: z.any() } },
        },
        async (request, reply) => {
          const small = request.accepts().encoding('gzip') === 'gzip';
          reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding');
          return small ? reply.header('content-encoding', 'gzip').send(compressed()) : reply.send(contract());
        },
      );
    }
  };
}

/** The routes of the running app, which no longer change. */
function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
