import { z } from 'zod';
import type { CountryOf } from '../../platform/geo.ts';
import type { App } from '../../platform/http/app-kit.ts';
import { answers, WRITE } from '../../platform/http/schemas.ts';
import * as s from './redemption.schemas.ts';
import type { Redemptions } from './redemption.service.ts';

/** Port: the developer whose own domain a Host header names, or null. */
type DeveloperOfHost = (host: string) => Promise<string | null>;

export function redemptionRoutes(redemptions: Redemptions, countryOf: CountryOf, developerOfHost: DeveloperOfHost) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/redeem/initiate',
      {
        config: { access: { as: 'public' }, rateLimit: 'redeem', idempotent: 'answer' },
        schema: {
          operationId: 'initiateRedemption',
          tags: ['redemption'],
          summary: 'Redeem a serial, or open its downloads again',
          body: s.InitiateBody,
          response: answers({ 200: s.RedemptionResult }, 403, 404, ...WRITE),
        },
      },
      async (request) => {
        const dev = request.body.dev ?? (await developerOfHost(request.host)) ?? undefined;
        return redemptions.initiate({ ...request.body, dev }, countryOf(request));
      },
    );

    app.post(
      '/api/redeem/complete',
      {
        config: { access: { as: 'public' }, rateLimit: 'redeem', idempotent: 'answer' },
        schema: {
          operationId: 'completeRedemption',
          tags: ['redemption'],
          summary: 'Give the name that a first redemption needs',
          body: s.CompleteBody,
          response: answers({ 200: s.RedemptionResult }, 403, 404, ...WRITE),
        },
      },
      async (request) => redemptions.complete(request.body, countryOf(request)),
    );

    app.post(
      '/api/redeem/products',
      {
        config: { access: { as: 'public' }, rateLimit: 'redeem' },
        schema: {
          operationId: 'listRedeemedProducts',
          tags: ['redemption'],
          summary: 'Open the downloads of a download token',
          body: s.ProductsBody,
          response: answers({ 200: s.OpenedProducts }, 401, ...WRITE),
        },
      },
      async (request) => ({ products: await redemptions.products(request.body.download_token) }),
    );

    app.get(
      '/api/redeem/download',
      {
        config: { access: { as: 'public' } },
        schema: {
          operationId: 'downloadFile',
          tags: ['redemption'],
          summary: 'Count one download and go to the file',
          querystring: s.DownloadQuery,
          response: answers({ 302: z.null().describe('To the file') }, 401, 403, 404),
        },
      },
      async (request, reply) => {
        const url = await redemptions.download(request.query.token);
        return reply.header('referrer-policy', 'no-referrer').redirect(url);
      },
    );
  };
}
