import { useQuery } from '@tanstack/react-query';
import { describeError } from '#lib/errors.ts';
import { formatMoney, plural } from '#lib/format/format.ts';
import { deletionQuery } from '#lib/queries/account.ts';
import { formatMonth } from '#lib/time/period.ts';
import { Button } from '#ui/button.tsx';

/** Shows what deleting the account bills and leaves unpaid before anybody confirms it, as a small invoice. */
export function DeletionBill() {
  const deletion = useQuery(deletionQuery);
  if (deletion.isPending) {
    return (
      <div role="status">
        <span className="sr-only">Checking what is still to pay…</span>
        <span className="skeleton block h-20" />
      </div>
    );
  }
  if (deletion.isError) {
    return (
      <p role="alert">
        Could not check what is still to pay: {describeError(deletion.error).message}{' '}
        <Button onClick={() => deletion.refetch()} busy={deletion.isFetching}>
          Try again
        </Button>
      </p>
    );
  }
  const { months, open_invoices, open_total, total, charges_card, unpaid_statements, open_statements } = deletion.data;
  const unpaid = unpaid_statements + open_statements;
  return (
    <>
      {total > 0 ? (
        <table aria-label="Your last invoice" className="w-full rounded-md bg-sunken text-sm text-text">
          <tbody>
            {months.map((each) => (
              <Line key={each.month} what={`${formatMonth(`${each.month}-01`)} (UTC)`} amount={each.total}>
                Closed and billed by the deletion
              </Line>
            ))}
            {open_invoices > 0 ? (
              <Line what={plural(open_invoices, 'unpaid invoice')} amount={open_total}>
                Of earlier months
              </Line>
            ) : null}
          </tbody>
          <tfoot>
            <tr className="border-t border-line-strong font-semibold">
              <th scope="row" className="px-3.5 py-2.5 text-left font-semibold">
                {charges_card ? 'Charged to your card' : 'You owe'}
              </th>
              <td className="figures px-3.5 py-2.5 text-right">{formatMoney(total)}</td>
            </tr>
          </tfoot>
        </table>
      ) : null}
      {unpaid > 0 ? <p>Payout statements that are unpaid or still to come: {unpaid}.</p> : null}
    </>
  );
}

function Line({ what, amount, children }: { what: string; amount: number; children: string }) {
  return (
    <tr className="border-b border-line last:border-b-0">
      <th scope="row" className="px-3.5 py-2 text-left font-normal">
        {what}
        <span className="block text-muted">{children}</span>
      </th>
      <td className="figures px-3.5 py-2 text-right align-top">{formatMoney(amount)}</td>
    </tr>
  );
}
