import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import { productsQuery } from '../../lib/queries.ts';
import { Panel } from '../../ui/page.tsx';
import { Select } from '../../ui/select.tsx';
import { Failed } from '../../ui/states.tsx';

interface MachinesProps {
  /** The product by its id; empty: all. */
  product: string;
  onProduct: (product: string) => void;
}

/** Where the plugins run. Nothing here depends on the period of the screen. */
export function Machines({ product, onProduct }: MachinesProps) {
  const products = useQuery(productsQuery(''));
  const query = useQuery({
    queryKey: ['analytics', 'machines', product],
    queryFn: ({ signal }) => api.getMachineAnalytics({ query: product ? { product_id: product } : {} }, { signal }),
    placeholderData: keepPreviousData,
  });
  const { data } = query;
  return (
    <section aria-labelledby="machines" className="mt-10">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 id="machines" className="font-semibold">
            Machines
          </h2>
          <p className="text-sm text-muted">Where your plugins run now, by their last check within 30 days.</p>
        </div>
        <Select aria-label="Product" value={product} onChange={(event) => onProduct(event.target.value)}>
          <option value="">All products</option>
          {products.data?.products.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </div>
      <Panel className="overflow-hidden p-5">
        {query.isError ? (
          <Failed
            title="Machines couldn't be loaded"
            error={query.error}
            retry={query.refetch}
            retrying={query.isFetching}
            className="py-8"
          />
        ) : !data ? (
          <span className="skeleton block h-40" />
        ) : data.machines === 0 && data.active_machines === 0 ? (
          <p className="text-muted">No machine holds a seat. Machines appear here when a plugin is activated.</p>
        ) : (
          <>
            <p className="figures mb-5">
              {formatCount(data.active_machines)} active in 30 days · {formatCount(data.machines)} hold a seat
            </p>
            <div className="grid gap-8 sm:grid-cols-2">
              <Bars title="Versions" rows={data.versions.map((row) => [row.version, row.count])} />
              <Bars title="Operating systems" rows={data.systems.map((row) => [row.os, row.count])} />
            </div>
          </>
        )}
      </Panel>
    </section>
  );
}

function Bars({ title, rows }: { title: string; rows: [string | null, number][] }) {
  const most = Math.max(1, ...rows.map(([, count]) => count));
  return (
    <div className="min-w-0">
      <h3 className="mb-3 text-sm font-medium text-muted">{title}</h3>
      <ul className="flex flex-col gap-3.5">
        {rows.map(([name, count]) => (
          <li key={name ?? ''}>
            <div className="flex justify-between gap-4">
              <span className="truncate">{name ?? 'Not told'}</span>
              <span className="figures">{formatCount(count)}</span>
            </div>
            <div className="mt-1 h-1 rounded-full bg-hover" aria-hidden>
              <div className="h-full min-w-1 rounded-full bg-accent" style={{ width: `${(count / most) * 100}%` }} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
