import type { App } from '#platform/http/app-kit.ts';
import { answers, Ok } from '#platform/http/schemas.ts';
import { limits } from '../limits.ts';
import type { Webhook } from './webhook.service.ts';

export function webhookRoutes(webhook: Webhook) {
  return async (app: App): Promise<void> => {
    // a context of its own: the signature is over the bytes as they came
    await app.register(async (raw) => {
      raw.removeAllContentTypeParsers();
      raw.addContentTypeParser(
        'application/json',
        { parseAs: 'buffer' },
        async (_request: unknown, body: Buffer) => body,
      );
      raw.post(
        '/api/stripe/webhook',
        {
          config: { access: { as: 'public' }, rateLimit: limits.stripe_events },
          // Stripe calls it, and nobody else can
          schema: { hide: true, response: answers({ 200: Ok }) },
        },
        async (request) => {
          const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
          await webhook.receive(body, String(request.headers['stripe-signature'] ?? ''));
          return { ok: true as const };
        },
      );
    });
  };
}
