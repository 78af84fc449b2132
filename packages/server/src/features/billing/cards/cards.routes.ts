import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { Ok, privateAnswers } from '#platform/http/schemas.ts';
import * as s from './cards.schemas.ts';
import type { Cards } from './cards.service.ts';

const read = { as: 'user', role: 'developer', scope: 'account:read' } as const;

export function cardRoutes(cards: Cards) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/billing/config',
      {
        config: { access: read },
        schema: {
          operationId: 'getBillingConfig',
          tags: ['billing'],
          summary: 'Whether cards can be entered here',
          response: privateAnswers({ 200: s.BillingConfig }),
        },
      },
      async () => cards.config(),
    );

    app.post(
      '/api/billing/create-setup-intent',
      {
        config: { access: { as: 'session', role: 'developer', verified: true } },
        schema: {
          operationId: 'createSetupIntent',
          tags: ['billing'],
          summary: 'Begin to enter a card',
          description:
            'The browser gives the card to Stripe itself, with the secret of this answer; no card number ever reaches this server. Afterwards `GET /api/billing/payment-method` shows the card. 503 `payments_not_configured` where no cards are taken.',
          response: privateAnswers({ 200: s.CardSetupStarted }),
        },
      },
      async (request) => cards.begin(callerOf(request).accountId),
    );

    app.get(
      '/api/billing/payment-method',
      {
        config: { access: read },
        schema: {
          operationId: 'getPaymentMethod',
          tags: ['billing'],
          summary: 'The card that is charged',
          response: privateAnswers({ 200: s.PaymentMethod }),
        },
      },
      async (request) => cards.get(callerOf(request).accountId),
    );

    app.delete(
      '/api/billing/payment-method',
      {
        config: { access: { as: 'session', role: 'developer' } },
        schema: {
          operationId: 'removePaymentMethod',
          tags: ['billing'],
          summary: 'Remove the card',
          description: 'Refused (409) on a plan that needs a card: enter another one to replace it.',
          response: privateAnswers({ 200: Ok }, 404, 409),
        },
      },
      async (request) => {
        await cards.remove(callerOf(request).accountId);
        return { ok: true as const };
      },
    );
  };
}
