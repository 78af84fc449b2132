import { z } from 'zod';
import { KnownPassword } from '../passwords/password-fields.ts';

export const DeleteAccountBody = z.strictObject({
  password: KnownPassword,
  unpaid: z.boolean().default(false).describe('Delete it although payout statements are unpaid.'),
  unlock: z
    .enum(['none', 'owners', 'everyone'])
    .default('none')
    .describe(
      'Publishes an unlock for good of every product, so that plugins go on without you: for their owners, or for everyone. It cannot be undone.',
    ),
});
export type DeleteAccountBody = z.output<typeof DeleteAccountBody>;

export const AccountDeletion = z
  .object({
    unpaid_statements: z.int().describe('Payout statements that are unpaid, on either side.'),
    open_statements: z
      .int()
      .describe('Payout statements with something to pay that months which are not closed yet will make.'),
    months: z
      .array(
        z.object({
          month: z.string().describe('The UTC month, such as 2026-03.'),
          total: z.number().describe('In dollars.'),
        }),
      )
      .describe('Months that the deletion closes and bills, the current one among them.'),
    open_invoices: z.int().describe('Invoices that are still to be collected.'),
    open_total: z.number().describe('Their sum, in dollars.'),
    total: z.number().describe('What the account owes when it is deleted now, in dollars.'),
    products: z.int().describe('A developer’s products, which an unlock for good can be published for.'),
    unlocked_products: z.int().describe('Those of them whose unlock for good is published already.'),
    charges_card: z.boolean().describe('Whether the total is charged to the card.'),
  })
  .meta({ id: 'AccountDeletion' });
export type AccountDeletion = z.output<typeof AccountDeletion>;
