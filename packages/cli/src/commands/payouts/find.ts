import type { PayoutSummary } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { Failure } from '#exit.ts';
import { isId } from '#input/is-id.ts';
import type { Context } from '#run/context.ts';

/** The argument that names a statement. */
export const WHICH = [['<statement>', 'its number, such as 2026-0007, or its id']] as const;

export type Query = {
  status?: PayoutSummary['status'] | undefined;
  year?: number | undefined;
  number?: string | undefined;
};

/** The statements of the caller's side of them. */
export async function statementsOf(
  context: Context,
  api: OperationClient,
  query: Query,
): Promise<AsyncIterable<PayoutSummary>> {
  const { is_reseller } = await api.getMe({}, context.call);
  return is_reseller
    ? api.paginate.listPayouts({ query }, context.call)
    : api.paginate.listDeveloperPayouts({ query }, context.call);
}

/** The id of a statement, given its number or id. Numbers are the developer's: two developers may have used the same. */
export async function findPayoutId(context: Context, text: string): Promise<string> {
  if (isId(text)) return text;
  const api = await context.api();
  const found: PayoutSummary[] = [];
  for await (const row of await statementsOf(context, api, { number: text })) {
    if (row.number === text) found.push(row);
  }
  if (found.length > 1) {
    const ids = found.map(({ id, developer_name }) => `${id} (${developer_name})`).join(', ');
    throw new Failure(`Several statements have the number ${text}. Use an id instead: ${ids}.`);
  }
  if (!found[0]) throw new Failure(`There is no statement ${text}. "tonerow payouts list" shows them.`, 'not_found');
  return found[0].id;
}
