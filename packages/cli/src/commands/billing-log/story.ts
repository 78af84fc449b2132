import type { BillingStory } from '@tonerow/sdk';
import type { Context } from '../../context.ts';
import { list, money, table, toDollars } from '../../output/table.ts';

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
    ['Next', statement.next_attempt_at],
    ['Last error', statement.last_error],
    ['Difference', statement.difference],
    ['At Stripe', statement.stripe_invoice_id],
  ]);
  const items = table(
    ['LINE', 'QUANTITY', 'AMOUNT'],
    lines.map((line) => [line.description, line.quantity, money(toDollars(line.amount_cents))]),
  );
  const tried = table(
    ['TIME (UTC)', 'ACTION', 'STATUS', 'ERROR', 'ADMIN'],
    logs.map((row) => [row.created_at, row.action, row.status, row.error_message, adminOf(row)]),
  );
  await context.print(story, `${about}\n${items}${logs.length === 0 ? '' : `\n${tried}`}`);
}
