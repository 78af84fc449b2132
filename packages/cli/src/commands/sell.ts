import { randomBytes } from 'node:crypto';
import { TonerowError } from '@tonerow/sdk';
import { defineCommand } from '#define/define-command.ts';
import { amount, text } from '#define/option-types.ts';
import { Failure } from '#exit.ts';
import { findSoldProductId } from '#input/find-by-name.ts';
import { EMAIL_LANGUAGE } from './downloads/language.ts';
import { saleFacts } from './draws/sale.ts';

export const sellCommand = defineCommand({
  path: 'sell',
  summary: 'Sell one code by hand, and send it to the customer',
  operations: ['sellSerial'],
  args: [['<product>', 'id or name, from "tonerow draws offers"']],
  options: {
    email: text('<address>', 'send the code to this address'),
    price: amount('<price>', 'what the customer was told; refused when no code costs exactly that'),
    note: text('<text>', 'your own note, which nobody else sees'),
    ...EMAIL_LANGUAGE,
    reference: text('<name>', 'your name for the sale; the same one is the same sale again'),
  },
  examples: [
    'tonerow sell "Prism Delay" --email nina@example.com',
    'tonerow sell "Prism Delay" --price 29 --note "Booth 12" --reference fair-17',
  ],
  async run({ context, args: [product], options }) {
    const api = await context.api();
    const product_id = await findSoldProductId(api, product, context.io.signal);
    const { email, note, language, reference = newReference() } = options;
    const body = { product_id, reference, price: options.price ?? undefined, email, note, language };
    const sale = await api.sellSerial({ body }, context.call).catch((error: unknown) => {
      throw options.reference === undefined && mayHaveSold(error)
        ? unanswered(error as TonerowError, reference)
        : error;
    });
    if (sale.state === 'returned') {
      throw new Failure(
        `${reference} was sold before and returned since: another customer may have its code. Sell with another reference.`,
      );
    }
    await context.print(sale, saleFacts(sale));
  },
});

/** Short enough to be read out. */
const newReference = () => `hand-${new Date().toISOString().slice(0, 10)}-${randomBytes(5).toString('hex')}`;

/** Whether the answer to a sale that may have been made is missing. */
const mayHaveSold = (error: unknown) =>
  error instanceof TonerowError && (error.status === undefined || error.status >= 500);

const unanswered = (cause: Error, reference: string) =>
  new Failure(
    `${cause.message}\nIt may have been sold. To get its answer, repeat the command with --reference ${reference}`,
    'answer_lost',
  );
