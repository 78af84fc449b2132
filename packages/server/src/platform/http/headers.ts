import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** So long a caller may go on sending a body that has been refused already, before he is cut off. */
const UNREAD_GRACE = 2000;

/** Request id on every answer, security headers with a CSP for the dashboard, and CORS for bearer credentials. */
export async function headers(app: FastifyInstance): Promise<void> {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    const { raw } = request;
    if (!raw.complete) setTimeout(() => raw.complete || raw.socket.destroy(), UNREAD_GRACE).unref();
    done();
  });
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'"],
        'style-src': ["'self'", "'unsafe-inline'"],
        'img-src': ["'self'", 'data:', 'blob:', 'https:'],
        'font-src': ["'self'"],
        'connect-src': ["'self'"],
        'object-src': ["'none'"],
        'base-uri': ["'self'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
      },
    },
    crossOriginEmbedderPolicy: false,
    // plain http on a laptop must not be remembered as https
    strictTransportSecurity: { maxAge: 15_552_000 },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
  // credentials are bearer headers, never cookies, so any origin may ask
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'authorization',
      'content-type',
      'idempotency-key',
      'x-ss-api-key',
      'x-app-id',
      'x-app-key',
      'x-request-id',
      'upload-offset',
      'range',
      'if-range',
      'x-tonerow-nonce',
      'x-tonerow-sign',
    ],
    exposedHeaders: [
      'x-request-id',
      'x-total-count',
      'x-next-cursor',
      'x-batch-id',
      'idempotency-replayed',
      'retry-after',
      'ratelimit',
      'ratelimit-policy',
      'content-disposition',
      'x-tonerow-signature',
      'x-tonerow-date',
      'x-tonerow-nonce',
      'upload-offset',
      'content-range',
      'accept-ranges',
      'etag',
    ],
    maxAge: 86_400,
  });
}
