import { Link } from '@tanstack/react-router';
import { EmailText } from '../email-text.tsx';

interface CustomerCellProps {
  customer: { id: string; first_name: string | null; last_name: string | null; email: string | null };
  /** The row is about the customer: its keys move to this link. */
  rowLink?: boolean;
}

/** Name over address, whole: a long one breaks rather than being cut. */
export function CustomerCell({ customer, rowLink = false }: CustomerCellProps) {
  const name = [customer.first_name, customer.last_name].filter(Boolean).join(' ');
  const words = name || customer.email || 'Erased customer';
  return (
    <Link
      to="/dashboard/customers/$customerId"
      params={{ customerId: customer.id }}
      data-row-link={rowLink || undefined}
      className="group/customer block max-w-full min-w-36 rounded-sm py-1.5 leading-5"
    >
      <span className="block font-medium wrap-anywhere decoration-line-strong underline-offset-4 group-hover/customer:underline">
        {words}
      </span>
      {name && customer.email ? (
        <span className="block text-sm wrap-anywhere text-muted">
          <EmailText email={customer.email} />
        </span>
      ) : null}
    </Link>
  );
}
