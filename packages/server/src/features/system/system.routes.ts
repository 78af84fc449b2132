import { z } from 'zod';
import type { App } from '../../platform/http/app-kit.ts';

/** Port: whether this process may take traffic now; the reason when not. */
export type Readiness = () => Promise<{ ready: boolean; reason?: string }>;

const State = z.object({ status: z.string(), reason: z.string().optional() });

/** `/livez`: the process answers. `/readyz`: it may take traffic: database reachable, schema current, not draining. */
export function systemRoutes(readiness: Readiness) {
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
      '/readyz',
      {
        config: { access: { as: 'public' }, rateLimit: false },
        schema: { hide: true, response: { 200: State, 500: z.any(), 503: State } },
      },
      async (_request, reply) => {
        const { ready, reason } = await readiness();
        if (ready) return { status: 'ready' };
        return reply.code(503).header('retry-after', '5').send({ status: 'not ready', reason });
      },
    );
    app.get(
      '/api/openapi.json',
      {
        config: { access: { as: 'public' } },
        schema: { hide: true, response: { 200: z.any(), 429: z.any(), 500: z.any() } },
      },
      async () => app.swagger(),
    );
  };
}
