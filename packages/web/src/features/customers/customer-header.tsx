import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { api } from '#lib/api.ts';
import { saveFile } from '#lib/files/download.ts';
import { formatCount, formatMoney } from '#lib/format/format.ts';
import { mailto } from '#lib/mailto.ts';
import type { CustomerDetail } from '#lib/types.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { Panel } from '#ui/page.tsx';
import { Notice } from '#ui/states.tsx';
import { Day, TimeAgo } from '#ui/time-ago.tsx';
import { useTask } from '#widgets/lists/use-save.ts';
import { EditCustomer } from './edit-customer.tsx';
import { EraseCustomer } from './erase-customer.tsx';

export function CustomerHeader({ customer, title }: { customer: CustomerDetail; title: string }) {
  if (customer.erased_at) {
    return (
      <header className="mb-6">
        <h1 className="text-xl font-semibold tracking-[-0.025em]">{title}</h1>
        <div className="mt-3">
          <Notice tone="plain">
            Name, email address and last login were erased on <Day iso={customer.erased_at} />. The serials and their
            figures stay, so that your totals keep adding up.
          </Notice>
        </div>
      </header>
    );
  }
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="min-w-0">
        <h1 className="text-xl font-semibold tracking-[-0.025em] wrap-anywhere">{title}</h1>
        <p className="flex min-w-0 flex-wrap items-center gap-1 text-muted">
          <a href={mailto(customer.email)} className="min-w-0 rounded-sm break-all hover:text-text hover:underline">
            {customer.email}
          </a>
          <CopyButton compact text={customer.email} what="the email address" className="h-7" />
        </p>
        {customer.no_updates_at ? (
          <p className="text-sm text-muted">
            Unsubscribed from emails about new versions on <Day iso={customer.no_updates_at} />
          </p>
        ) : null}
      </div>
      <div className="flex flex-wrap gap-2">
        <LinkButton to="/dashboard/customers/emails" search={{ to: customer.email }}>
          Emails
        </LinkButton>
        <EditCustomer customer={customer} />
        <ExportData customer={customer} />
        <EraseCustomer customer={customer} />
      </div>
    </header>
  );
}

/** Everything kept about the person, for a request under privacy law. */
function ExportData({ customer }: { customer: CustomerDetail }) {
  const save = useTask(async () => {
    const data = await api.exportCustomerData({ path: { id: customer.id } });
    saveFile(`customer-${customer.id}.json`, [`${JSON.stringify(data, null, 2)}\n`], 'application/json');
  }, 'Export failed.');
  return (
    <Button onClick={() => save.mutate()} busy={save.isPending}>
      <Download className="-ml-0.5 size-4" aria-hidden />
      Export data
    </Button>
  );
}

/** The server sends only the newest ones. */
const mostSerials = 200;

export function Facts({ customer }: { customer: CustomerDetail }) {
  return (
    <Panel className="overflow-hidden">
      <dl className="-mt-px -ml-px grid grid-cols-2 lg:grid-cols-4">
        <Fact name="Total spent">{formatMoney(customer.total_spent)}</Fact>
        <Fact name="Serials">
          {customer.serials.length < mostSerials ? formatCount(customer.serials.length) : `${mostSerials} or more`}
        </Fact>
        <Fact name="Signup">
          <TimeAgo iso={customer.signup_date} />
        </Fact>
        <Fact name="Last login">{customer.last_login ? <TimeAgo iso={customer.last_login} /> : 'Never'}</Fact>
      </dl>
    </Panel>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0 border-t border-l border-line px-4 py-4 sm:px-5">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="figures mt-1 text-md font-semibold tracking-[-0.01em]">{children}</dd>
    </div>
  );
}
