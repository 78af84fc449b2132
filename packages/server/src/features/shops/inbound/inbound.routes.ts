import { z } from 'zod';
import { AppError } from '#platform/errors.ts';
import type { App } from '#platform/http/app-kit.ts';
import { isEncoded } from '#platform/http/input/json-body.ts';
import { answers, Ok } from '#platform/http/schemas.ts';
import type { PluginsFirst } from '#platform/limits/plugins-first.ts';
import { limits } from '../limits.ts';
import type { InboundDeliveries } from './inbound.service.ts';
import type { LicenseCalls } from './license-calls.service.ts';

const Codes = z.string();
const Params = z.object({ account: z.string().max(64), token: z.string().max(200) });

export function inboundRoutes(pluginsFirst: PluginsFirst, deliveries: InboundDeliveries, licenseCalls: LicenseCalls) {
  return async (app: App): Promise<void> => {
    // a context of its own: a signature is over the bytes as they came, whatever their content type
    await app.register(async (raw) => {
      raw.removeAllContentTypeParsers();
      raw.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
      raw.post(
        '/api/shop-hooks/:account/:token',
        {
          config: { access: { as: 'public' }, rateLimit: limits.shop_deliveries },
          // shops call it, and nobody else can
          schema: { hide: true, params: Params, response: answers({ 200: Ok }, 401, 404) },
        },
        async (request) => {
          if (isEncoded(request)) throw new AppError('unsupported_media_type', 'Send it without Content-Encoding.');
          const { account, token } = request.params as z.output<typeof Params>;
          const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
          await pluginsFirst.run(() => deliveries.receive(account, token, { headers: request.headers, body }));
          return { ok: true as const };
        },
      );
      raw.post(
        '/api/shop-hooks/:account/:token/license',
        {
          config: { access: { as: 'public' }, rateLimit: limits.shop_deliveries },
          // whatever is answered with 200 is printed as the customer's code
          schema: { hide: true, params: Params, response: answers({ 200: Codes }, 400, 401, 404, 503) },
        },
        async (request, reply) => {
          if (isEncoded(request)) throw new AppError('unsupported_media_type', 'Send it without Content-Encoding.');
          const { account, token } = request.params as z.output<typeof Params>;
          const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
          const codes = await licenseCalls.answer(account, token, body);
          return reply.type('text/plain; charset=utf-8').send(codes.join('\n'));
        },
      );
    });
  };
}
