import type { ReactNode } from 'react';
import type { Shop } from '#lib/types.ts';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { licenseAddressOf } from './kinds.ts';

/** The addresses of a shop, with what each is for. */
export const addressFacts = (shop: Shop): [string, ReactNode][] => [
  ['Address', <Copied key="address" text={shop.address} label="Copy address" />],
  ['For its license call', copied(licenseAddressOf(shop), 'Copy license address')],
  ['For its success page', copied(shop.order_page, 'Copy link')],
];

const copied = (text: string | null, label: string) =>
  text === null ? null : <Copied key={label} text={text} label={label} />;

function Copied({ text, label }: { text: string; label: string }) {
  return (
    <span className="flex flex-col items-end gap-1.5">
      <code className="font-mono text-xs break-all">{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}
