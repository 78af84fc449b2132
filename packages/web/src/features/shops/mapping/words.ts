import { formatChosen, plural } from '#lib/format/format.ts';
import type { ShopItem } from '#lib/types.ts';

/** The shop's own name for an item: `variant:44`, `product:9`, or a SKU as it is. */
export function keyWords(key: string): string {
  const [, kind, id] = /^(variant|product):(.+)$/.exec(key) ?? [];
  if (kind === undefined || id === undefined) return `SKU ${key}`;
  return `${kind === 'variant' ? 'Variant' : 'Product'} ${id}`;
}

type Mapped = Pick<ShopItem, 'product_ids' | 'units' | 'source' | 'batch_tag' | 'prefix' | 'expires_at' | 'renewals'>;

/** Describes in a sentence what one item gives. */
export function givesOf({ product_ids, units, source, batch_tag, prefix, expires_at, renewals }: Mapped): string {
  const each = product_ids.length > 1 ? ' of each' : '';
  const tag = batch_tag ? ` tagged “${batch_tag}”` : '';
  const from =
    source === 'pool'
      ? `from your batches${tag}`
      : [
          `generated${tag ? ` in a batch${tag}` : ''}`,
          prefix && `beginning with ${prefix}`,
          expires_at && `to redeem by ${formatChosen(expires_at, 'end')}`,
        ]
          .filter(Boolean)
          .join(', ');
  const again = renewals === 'issue' ? ' Each renewal gives another.' : '';
  return `${plural(units, 'serial')}${each}, ${from}.${again}`;
}

/** A reseller’s come from the pool, whose terms are the developer’s. */
export function drawsOf({ product_ids, units, batch_tag }: Mapped): string {
  const each = product_ids.length > 1 ? ' of each' : '';
  return `${plural(units, 'code')}${each}, drawn from your stock${batch_tag ? `, only of batches tagged “${batch_tag}”` : ''}.`;
}
