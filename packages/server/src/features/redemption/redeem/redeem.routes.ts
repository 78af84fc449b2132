import type { App } from '#platform/http/app-kit.ts';
import { answers, WRITE } from '#platform/http/schemas.ts';
import type { CountryOf } from '#platform/network/geo.ts';
import { limits } from '../limits.ts';
import * as s from './redeem.schemas.ts';
import type { Redemptions } from './redeem.service.ts';

/** Port: the developer whose custom domain is in a Host header, or null. */
type DeveloperOfHost = (host: string) => Promise<string | null>;

export function redeemRoutes(redemptions: Redemptions, countryOf: CountryOf, developerOfHost: DeveloperOfHost) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/redeem/initiate',
      {
        config: { access: { as: 'public' }, rateLimit: limits.redeem, idempotent: 'answer' },
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
        return redemptions.initiate({ ...request.body, dev }, { country: countryOf(request), ip: request.ip });
      },
    );

    app.post(
      '/api/redeem/complete',
      {
        config: { access: { as: 'public' }, rateLimit: limits.redeem, idempotent: 'answer' },
        schema: {
          operationId: 'completeRedemption',
          tags: ['redemption'],
          summary: 'Provide the name that a first redemption requires',
          body: s.CompleteBody,
          response: answers({ 200: s.RedemptionResult }, 403, 404, ...WRITE),
        },
      },
      async (request) => redemptions.complete(request.body, countryOf(request)),
    );
  };
}
