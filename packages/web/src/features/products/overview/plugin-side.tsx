import type { ReactNode } from 'react';
import { formatCount, plural } from '#lib/format/format.ts';
import type { ProductOverview } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { TextLink } from '#ui/button.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';

/** The plugin on customers' computers: versions, keys, and refusals. */
export function PluginSide({ product }: { product: ProductOverview }) {
  const { machines, plugin_keys: keys, refusals } = product;
  const toCode = { to: '/developer/tools/licensingapi', search: { product: product.id } } as const;
  return (
    <>
      <Rows
        id="product-versions"
        title="Versions in use"
        hint={`${plural(machines.active, 'machine')} active in the last 30 days, ${formatCount(machines.total)} with a seat`}
        none="No machine has been seen yet."
        rows={machines.versions.map(({ version, count, systems }) => [
          version ?? 'Not reported',
          <span key="version">
            {version ?? <span className="text-muted">Not reported</span>}
            <span className="figures block text-muted">{systems.map(systemWords).join(' · ')}</span>
          </span>,
          plural(count, 'activation'),
        ])}
      />
      <Rows
        id="product-keys"
        title="Plugin keys"
        hint={
          <>
            All products share them. <TextLink {...toCode}>Code for this plugin</TextLink>
          </>
        }
        none={
          <>
            No plugin key yet, so no plugin can ask for a license. <TextLink {...toCode}>Create one</TextLink>
          </>
        }
        rows={keys.map((key) => [
          key.id,
          <span key="label" className="flex min-w-0 flex-wrap items-center gap-2">
            <span className="min-w-0 wrap-anywhere">{key.label}</span>
            {key.is_test ? (
              <Badge means="For the fixed test serials only. It never reaches a customer.">Test</Badge>
            ) : null}
          </span>,
          key.last_used_at ? (
            <span key="used">
              used <TimeAgo iso={key.last_used_at} />
            </span>
          ) : (
            'never used'
          ),
        ])}
      />
      <Rows
        id="product-refusals"
        title="Refusals"
        hint="Activations and redemptions of the last 30 days (UTC)."
        none="Nothing was refused."
        rows={refusals.map(({ status, count }) => [
          status,
          words(status),
          count === 1 ? 'once' : `${formatCount(count)} times`,
        ])}
      />
    </>
  );
}

/** One system stays on one line. */
const systemWords = ({ os, count }: { os: string | null; count: number }) =>
  `${formatCount(count)} ${os ? `on ${os}` : 'not reported'}`.replaceAll(' ', '\u00a0');

/** `seat_limit` is `Seat limit`. */
const words = (status: string) => (status.charAt(0).toUpperCase() + status.slice(1)).replaceAll('_', ' ');

interface RowsProps {
  id: string;
  title: string;
  hint: ReactNode;
  none: ReactNode;
  rows: [key: string, name: ReactNode, value: ReactNode][];
}

function Rows({ id, title, hint, none, rows }: RowsProps) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="font-semibold">
        {title}
      </h2>
      <p className="figures mb-1 text-sm text-muted">{rows.length === 0 ? none : hint}</p>
      {rows.length > 0 ? (
        <dl className="divide-y divide-line border-b border-line">
          {rows.map(([key, name, value]) => (
            <div key={key} className="flex min-h-11 items-center justify-between gap-6 py-2 text-sm">
              <dt className="min-w-0 wrap-anywhere">{name}</dt>
              <dd className="figures shrink-0 text-right text-muted">{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
    </section>
  );
}
