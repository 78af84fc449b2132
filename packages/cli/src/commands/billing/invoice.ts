import { defineCommand } from '#define/define-command.ts';
import { list, money, table } from '#output/table.ts';
import { confirmPage } from './confirm-page.ts';
import { findInvoiceId, WHICH } from './find-invoice.ts';
import { paidFacts } from './paid-facts.ts';

export const billingInvoice = defineCommand({
  path: 'billing invoice',
  summary: 'Show an invoice with its lines',
  operations: ['getInvoice', 'listInvoices'],
  args: [...WHICH],
  examples: ['tonerow billing invoice 2026-0007', 'tonerow billing invoice 2026-0007 --json'],
  async run({ context, args: [text] }) {
    const id = await findInvoiceId(context, text);
    const invoice = await (await context.api()).getInvoice({ path: { id } }, context.call);
    const { party, payment } = invoice;
    const facts = list([
      ['Invoice', invoice.number],
      ['Month (UTC)', invoice.month],
      ['Billed to', party.company ?? party.name],
      ['Address', party.address],
      ['Tax id', party.tax_id],
      ['Plan', invoice.plan_name],
      ['Redemptions', invoice.redemptions],
      ['Above the quota', invoice.overage_redemptions],
      ['Refreshes', invoice.refresh_count],
      ['Total', money(invoice.total)],
      ['State', invoice.state],
      ['Paid at', invoice.paid_at],
      ...paidFacts({ by: invoice.paid_by, charged: payment.charged, before: payment.balance_before }),
      ['Charges tried', payment.attempts],
      ['Next charge', payment.next_attempt_at],
      ['Last error', payment.last_error],
      ['Confirm it at', payment.confirm ? await confirmPage(context, id) : null],
    ]);
    const lines = invoice.lines.map((line) => [
      line.n,
      line.description,
      line.quantity,
      line.unit_price === null ? null : money(line.unit_price),
      money(line.amount),
    ]);
    const page = lines.length > 0 ? `${facts}\n${table(['#', 'WHAT', 'QUANTITY', 'PRICE', 'AMOUNT'], lines)}` : facts;
    await context.print(invoice, page);
  },
});
