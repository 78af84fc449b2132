import type { FastifyInstance } from 'fastify';

/** In tests, a response with a status that its route does not declare throws. */
export function refuseUndeclaredStatuses(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const responses = request.routeOptions.schema?.response as Record<string, unknown> | undefined;
    if (request.is404 || !responses || reply.statusCode in responses) return payload;
    const message = `${request.method} ${request.routeOptions.url} answered ${reply.statusCode}, which it does not declare`;
    undeclared.push(message);
    throw new Error(message);
  });
}

/** What the trap caught; a test looks at it in the end, so that no caught error hides one. */
export const undeclared: string[] = [];
