import type { ReactNode } from 'react';
import type { Shop } from '#lib/types.ts';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { Panel } from '#ui/page.tsx';
import { licenseAddressOf } from './kinds.ts';

/** The addresses of a shop, with what each is for. */
const addressFacts = (shop: Shop): [string, ReactNode][] => [
  ['Address', <Copied key="address" text={shop.address} label="Copy address" />],
  ['For its license call', copied(licenseAddressOf(shop), 'Copy license address')],
  ['For its success page', copied(shop.order_page, 'Copy link')],
];

const copied = (text: string | null, label: string) =>
  text === null ? null : <Copied key={label} text={text} label={label} />;

function Copied({ text, label }: { text: string; label: string }) {
  return (
    <span className="flex flex-col items-start gap-1.5 sm:flex-row sm:items-center sm:justify-between sm:gap-4">
      <code className="min-w-0 font-mono text-xs break-all">{text}</code>
      <CopyButton text={text} label={label} className="shrink-0" />
    </span>
  );
}

/** Each in a line of its own, which is as wide as the page: they are long. */
export function AddressPanel({ shop }: { shop: Shop }) {
  return (
    <Panel className="-mt-4 mb-8 px-5">
      <dl className="divide-y divide-line">
        {addressFacts(shop)
          .filter(([, fact]) => fact !== null)
          .map(([what, fact]) => (
            <div key={what} className="py-3 text-sm">
              <dt className="mb-1 text-muted">{what}</dt>
              <dd>{fact}</dd>
            </div>
          ))}
      </dl>
    </Panel>
  );
}
