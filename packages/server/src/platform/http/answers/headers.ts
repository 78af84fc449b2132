import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False: answers get no CORS headers of the plugin's. */
    cors?: false;
  }
}

const exposedHeaders = [
  'x-request-id',
  'x-total-count',
  'x-next-cursor',
  'x-tonerow-withheld',
  'x-batch-id',
  'idempotency-replayed',
  'retry-after',
  'x-should-retry',
  'tonerow-api-version',
  'ratelimit',
  'ratelimit-policy',
  'content-disposition',
  'x-tonerow-signature',
  'x-tonerow-date',
  'x-tonerow-signed',
  'x-tonerow-nonce',
  'upload-offset',
  'content-range',
  'accept-ranges',
  'etag',
].join(', ');

/** The sources that a page may load from, by directive. */
type Sources = Record<string, string[]>;

const own: Sources = {
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
};

const page = helmet({
  contentSecurityPolicy: { useDefaults: false, directives: own },
  crossOriginEmbedderPolicy: false,
  // plain http on a laptop must not be remembered as https
  strictTransportSecurity: { maxAge: 15_552_000 },
  referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
});

/** The content policy of a page that may load more than the others, as headers that replace theirs. */
export function policyWith(more: Sources): Record<string, string> {
  const directives = { ...own };
  for (const [name, sources] of Object.entries(more)) directives[name] = [...(own[name] ?? ["'self'"]), ...sources];
  return headersOf(helmet.contentSecurityPolicy({ useDefaults: false, directives }));
}

/**
 * Request id on every response, security headers with a CSP for pages, and CORS for bearer credentials. Responses are
 * not cacheable unless their route sets another `cache-control`, as for images and pages. Plugins call constantly and
 * are not browsers, so their responses carry only the headers that matter to them.
 */
export async function headers(app: FastifyInstance): Promise<void> {
  const forPages = headersOf(page);
  app.addHook('onRoute', (route) => {
    if (route.config?.access?.as === 'plugin') route.config.cors = false;
  });
  app.addHook('onRequest', (request, reply, done) => {
    // in this order: JUCE on Linux loses the first header, and a plugin shows the id
    reply.header('cache-control', 'no-store').header('x-request-id', request.id);
    if (request.routeOptions.config.access?.as !== 'plugin') {
      reply.headers(forPages);
    } else {
      reply.header('x-content-type-options', 'nosniff');
      if (request.headers.origin !== undefined)
        reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': exposedHeaders });
    }
    done();
  });
  // credentials are bearer headers, never cookies, so any origin may call
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'authorization',
      'content-type',
      'idempotency-key',
      'tonerow-api-version',
      'traceparent',
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
    exposedHeaders,
    maxAge: 86_400,
  });
}

type Middleware = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

/** Set on every response by middleware that does not depend on the request or route. */
function headersOf(middleware: Middleware): Record<string, string> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  middleware(response.req, response, (error) => {
    if (error) throw error;
  });
  return response.getHeaders() as Record<string, string>;
}
