import { z } from 'zod';
import type { App } from '../../platform/http/app-kit.ts';

/** Port: whether this process may take traffic now; the reason when not. */
export type Readiness = () => Promise<{ ready: boolean; reason?: string }>;
/** Port: what an operator should look at, although this process can take traffic. */
export type Warnings = () => Promise<string[]>;

const State = z.object({
  status: z.string(),
  reason: z.string().optional(),
  warnings: z.array(z.string()).optional(),
});

/**
 * `/livez`: the process answers. `/readyz`: it may take traffic: database reachable, schema current, not draining. What
 * an operator should look at, but licensing does not need, is a warning there: `disk_full`, `disk_low`.
 */
export function systemRoutes(readiness: Readiness, warnings: Warnings) {
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
        const [{ ready, reason }, found] = await Promise.all([readiness(), warnings()]);
        const more = found.length > 0 ? { warnings: found } : {};
        if (ready) return { status: 'ready', ...more };
        return reply
          .code(503)
          .header('retry-after', '5')
          .send({ status: 'not ready', reason, ...more });
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
