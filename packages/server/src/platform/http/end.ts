import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    answered: boolean;
  }
}

/** The status of a request whose caller left before an answer began, as proxies have it. */
const LEFT = 499;

/**
 * Runs once for each request: when its answer was written, or when its caller left before that. Fastify has no hook for callers who
 * leave after their body was read. A stream that a caller ends has the status that it began with.
 */
export function onEnd(
  app: FastifyInstance,
  ended: (request: FastifyRequest, reply: FastifyReply, status: number) => void,
): void {
  if (!app.hasRequestDecorator('answered')) app.decorateRequest('answered', false);
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.on('close', () => {
      if (!request.answered) ended(request, reply, reply.raw.headersSent ? reply.raw.statusCode : LEFT);
    });
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    request.answered = true;
    ended(request, reply, reply.statusCode);
    done();
  });
}
