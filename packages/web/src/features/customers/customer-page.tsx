import { useQuery } from '@tanstack/react-query';
import { isStatus } from '#lib/errors.ts';
import { useTitle } from '#lib/hooks.ts';
import { q } from '#lib/queries/operation.ts';
import type { CustomerDetail } from '#lib/types.ts';
import { LinkButton } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { RecordBar } from '#widgets/lists/record-bar.tsx';
import { StandingLines } from '#widgets/serials/standing-lines.tsx';
import { Activity } from './activity.tsx';
import { CustomerHeader, Facts } from './customer-header.tsx';
import { CustomerOrders } from './customer-orders.tsx';
import { Machines } from './machines.tsx';
import { nameOf } from './names.ts';
import { OwnedSerials } from './owned-serials.tsx';

export function CustomerPage({ id }: { id: string }) {
  const customer = useQuery(q('getCustomer', { path: { id } }));
  const { data } = customer;
  useTitle(data ? titleOf(data) : 'Customer');
  return (
    <>
      <RecordBar kind="customers" id={id} list={{ to: '/dashboard/customers' }} back="Back to Customers" />
      {data ? (
        <Details customer={data} />
      ) : customer.isError ? (
        // a malformed id is refused without a look-up
        isStatus(customer.error, 404) || isStatus(customer.error, 400) ? (
          <Panel>
            <Empty
              heading="h1"
              title="Customer not found"
              action={<LinkButton to="/dashboard/customers">Back to Customers</LinkButton>}
            >
              The link may be incomplete, or the customer belongs to another account.
            </Empty>
          </Panel>
        ) : (
          <Panel>
            <Failed
              heading="h1"
              title="The customer couldn't be loaded"
              error={customer.error}
              retry={customer.refetch}
              retrying={customer.isFetching}
            />
          </Panel>
        )
      ) : (
        <Skeleton />
      )}
    </>
  );
}

const titleOf = (customer: CustomerDetail) =>
  customer.erased_at ? 'Erased customer' : (nameOf(customer) ?? customer.email);

function Details({ customer }: { customer: CustomerDetail }) {
  return (
    <>
      <CustomerHeader customer={customer} title={titleOf(customer)} />
      <StandingLines standing={customer.standing} subject="customer" className="mb-4" />
      <Facts customer={customer} />
      <div className="mt-4 grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <OwnedSerials serials={customer.serials} />
          <Machines machines={customer.machines} />
          {/* below what is there already, so that nothing moves when it comes */}
          {customer.erased_at ? null : <CustomerOrders email={customer.email} />}
        </div>
        <Activity customer={customer} />
      </div>
    </>
  );
}

function Skeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading the customer</span>
      <div className="mb-6 flex h-[60px] flex-col justify-center gap-3">
        <span className="skeleton h-7 w-56" />
        <span className="skeleton h-4 w-48" />
      </div>
      <span className="skeleton mb-4 block h-12 w-full" />
      <span className="skeleton block h-[90px] w-full" />
      <div className="mt-4 grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <span className="skeleton h-72" />
        <span className="skeleton h-72" />
      </div>
    </div>
  );
}
