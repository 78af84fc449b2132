import type { FastifyInstance } from 'fastify';

/** Throws for a response with a status that its route does not declare. Only tests use it. */
export function refuseUndeclaredStatuses(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const responses = request.routeOptions.schema?.response as Record<string, unknown> | undefined;
    if (request.is404 || !responses || reply.statusCode in responses) return payload;
    const message = `${request.method} ${request.routeOptions.url} answered ${reply.statusCode}, which it does not declare`;
    undeclared.push(message);
    throw new Error(message);
  });
}

/** The undeclared statuses; a test looks at them in the end, so that no caught error hides one. */
export const undeclared: string[] = [];
