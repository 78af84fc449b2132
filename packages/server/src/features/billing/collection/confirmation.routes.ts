import { z } from 'zod';
import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers } from '#platform/http/schemas.ts';
import type { Confirmations } from './confirmation.service.ts';

const PaymentConfirmation = z
  .object({
    status: z.enum(['to_confirm', 'paid']).describe('`to_confirm`: with the secret, in a browser; `paid`: it is done.'),
    client_secret: z
      .string()
      .nullable()
      .describe('What Stripe’s script in the browser confirms the payment with; null once it is paid.'),
    payment_method: z.string().nullable().describe('Stripe’s id of the card that is charged; null once it is paid.'),
  })
  .meta({ id: 'PaymentConfirmation' });

export function confirmationRoutes(confirmations: Confirmations) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/billing/invoices/:id/confirm-payment',
      {
        config: { access: { as: 'session', role: 'developer' } },
        schema: {
          operationId: 'confirmInvoicePayment',
          tags: ['billing'],
          summary: 'Begin to confirm an invoice’s payment, or see that it is paid',
          description:
            'For a payment that the cardholder’s bank declines unless it can ask: the browser confirms it with Stripe itself, and calls this again to see the result. 409 when the bank has asked for nothing, there is no card, the invoice is no longer charged, or is being charged at that moment. Until the bank has been answered, for a quarter of an hour, no charge is tried.',
          params: IdParams,
          response: privateAnswers({ 200: PaymentConfirmation }, 404, 409),
        },
      },
      async (request) => confirmations.of(callerOf(request).accountId, request.params.id),
    );
  };
}
