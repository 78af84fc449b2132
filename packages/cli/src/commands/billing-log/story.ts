import type { BillingStory } from '@tonerow/sdk';
import { list, money, table, toDollars } from '#output/table.ts';
import type { Context } from '#run/context.ts';
import { paidFacts } from '../billing/paid-facts.ts';

const adminOf = ({ actor, actor_id }: BillingStory['logs'][number]) =>
  actor ? `${actor.name} <${actor.email}>` : actor_id;

export async function printStory(context: Context, story: BillingStory): Promise<void> {
  const { statement, lines, logs } = story;
  const about = list([
    ['Invoice', statement.number],
    ['Developer', statement.email],
    ['Month (UTC)', statement.month],
    ['State', statement.state],
    ['Total', money(toDollars(statement.total_cents))],
    ['Charges', statement.attempts],
    ...paidFacts({
      by: statement.paid_by,
      charged: statement.charged_cents === null ? null : toDollars(statement.charged_cents),
      before: statement.balance_cents === null ? null : toDollars(statement.balance_cents),
    }),
    ['Next', statement.next_attempt_at],
    ['Last error', statement.last_error],
    ['Difference', statement.difference],
    ['At Stripe', statement.stripe_invoice_id],
  ]);
  const items = table(
    ['LINE', 'QUANTITY', 'PRICE', 'AMOUNT'],
    lines.map(({ description, quantity, unit_cents: price, amount_cents: amount }) => [
      description,
      quantity,
      price === null ? 'several' : money(toDollars(price)),
      money(toDollars(amount)),
    ]),
  );
  const tried = table(
    ['TIME', 'ACTION', 'STATUS', 'ERROR', 'ADMIN'],
    logs.map((row) => [row.created_at, row.action, row.status, row.error_message, adminOf(row)]),
  );
  await context.print(story, `${about}\n${items}${logs.length === 0 ? '' : `\n${tried}`}`);
}
