import type { InvoiceSummary } from '@tonerow/sdk';
import { Failure } from '#exit.ts';
import { isId } from '#input/is-id.ts';
import type { Context } from '#run/context.ts';

/** The argument that names an invoice. */
export const WHICH = [['<invoice>', 'its number, such as 2026-0007, or its id']] as const;

/** The id of an invoice, given its number or id. */
export async function findInvoiceId(context: Context, text: string): Promise<string> {
  if (isId(text)) return text;
  const api = await context.api();
  const year = /^(\d{4})-\d{4,}$/.exec(text)?.[1];
  const query = year === undefined ? {} : { year: Number(year) };
  const rows: AsyncIterable<InvoiceSummary> = api.paginate.listInvoices({ query }, context.call);
  for await (const row of rows) if (row.number === text) return row.id;
  throw new Failure(`There is no invoice ${text}. "tonerow billing invoices" shows them.`, 'not_found');
}
