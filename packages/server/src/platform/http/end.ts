import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    answered: boolean;
    /** Runs work in the request's trace. Absent without tracing. */
    inTrace?: (work: () => void) => void;
  }
}

/** The status of a request whose caller left before an answer began, as proxies have it. */
const LEFT = 499;

type Ended = (request: FastifyRequest, reply: FastifyReply, status: number) => void;

/** One listener for each answer, however many ask for its end: a stream has nearly as many as Node takes for a leak. */
const ends = new WeakMap<FastifyInstance, Ended[]>();

/**
 * Runs once for each request: when its answer was written, or when its caller left before that. Fastify has no hook for callers who
 * leave after their body was read. A stream that a caller ends has the status that it began with.
 */
export function onEnd(app: FastifyInstance, ended: Ended): void {
  const others = ends.get(app);
  if (others) return void others.push(ended);
  const all = [ended];
  ends.set(app, all);
  app.decorateRequest('answered', false);
  app.addHook('onRequest', (request, reply, done) => {
    const closed = () => {
      if (request.answered) return;
      const status = reply.raw.headersSent ? reply.raw.statusCode : LEFT;
      for (const each of all) each(request, reply, status);
    };
    // the socket calls it, outside the trace; to bind each listener to its request would cost every request 3 µs
    reply.raw.on('close', () => (request.inTrace ? request.inTrace(closed) : closed()));
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    request.answered = true;
    for (const each of all) each(request, reply, reply.statusCode);
    done();
  });
}
