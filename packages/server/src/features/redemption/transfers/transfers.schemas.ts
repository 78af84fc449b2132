import { z } from 'zod';
import { dataOf } from '#platform/access/withhold.ts';
import { Id } from '#platform/http/schemas.ts';
import { Email } from '#platform/text/email-address.ts';

const Name = z
  .string()
  .trim()
  .max(100, 'Use at most 100 characters.')
  .regex(/^[^\p{Cc}]*$/u, 'Control characters are not allowed.')
  .nullish()
  .transform((value) => value || null);

export const TransferBody = z
  .strictObject({
    email: Email.describe('Whose it becomes. A customer is made when none has this address.'),
    first_name: Name.describe('Of a new customer, or of one without a first name.'),
    last_name: Name.describe('Of a new customer, or of one without a last name.'),
    from_customer_id: Id.optional().describe('Whose it is now. If it is somebody else’s by then, nothing changes.'),
  })
  .meta({ id: 'TransferSerial' });
export type TransferBody = z.output<typeof TransferBody>;

export const TransferredSerial = z
  .object({
    id: Id,
    customer: z
      .object({
        id: Id,
        first_name: dataOf('people', z.string().nullable()),
        last_name: dataOf('people', z.string().nullable()),
        email: dataOf('people', z.string().nullable()),
      })
      .describe('Whose it is now.'),
    changed: z.boolean().describe('False: it was theirs already.'),
  })
  .meta({ id: 'TransferredSerial' });
