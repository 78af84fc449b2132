import { z } from 'zod';

export const BillingConfig = z
  .object({
    configured: z.boolean().describe('Whether cards can be entered and are charged.'),
    publishable_key: z.string().nullable().describe('For Stripe’s own form in the browser; null when not configured.'),
  })
  .meta({ id: 'BillingConfig' });

export const CardSetupStarted = z
  .object({
    client_secret: z.string().describe('What Stripe’s form in the browser confirms the card with. It works once.'),
  })
  .meta({ id: 'CardSetupStarted' });

export const PaymentMethod = z
  .object({
    card: z
      .object({
        brand: z.string().describe('Such as `visa`.'),
        last4: z.string().describe('The last digits of its number.'),
        exp_month: z.int().describe('The last month in which it can be charged, from 1.'),
        exp_year: z.int().describe('The year of that month.'),
      })
      .meta({ id: 'PaymentCard' })
      .nullable()
      .describe('Null: no card on file.'),
  })
  .meta({ id: 'PaymentMethod' });
