import { useQuery } from '@tanstack/react-query';
import { describeError } from '../../lib/errors.ts';
import { formatMoney } from '../../lib/format.ts';
import { formatMonth } from '../../lib/period.ts';
import { deletionQuery } from '../../lib/queries/account.ts';
import { Button } from '../../ui/button.tsx';

/** What deleting the account bills and leaves unpaid, before anybody confirms it. */
export function DeletionBill() {
  const deletion = useQuery(deletionQuery);
  if (deletion.isPending) return <p className="text-muted">Checking what is still to pay…</p>;
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
  if (total === 0 && unpaid === 0) return null;
  return (
    <ul className="list-disc pl-5">
      {months.map((each) => (
        <li key={each.month}>
          {formatMonth(`${each.month}-01`)} (UTC) is closed and billed: {formatMoney(each.total)}.
        </li>
      ))}
      {open_invoices > 0 ? (
        <li>
          Invoices that are not paid yet: {open_invoices}, with {formatMoney(open_total)}.
        </li>
      ) : null}
      {total > 0 ? (
        <li>{charges_card ? `Your card is charged ${formatMoney(total)}.` : `You owe ${formatMoney(total)}.`}</li>
      ) : null}
      {unpaid > 0 ? <li>Payout statements that are unpaid or still to come: {unpaid}.</li> : null}
    </ul>
  );
}
