import { accountZone, dayIn } from '#lib/time/zone.ts';
import type { ShopItem } from '#lib/types.ts';
import type { Mistakes } from '#ui/forms/form-parts.ts';

/** A mapping as it is typed. */
export interface ItemDraft {
  key: string;
  products: { id: string; name: string }[];
  units: string;
  source: ShopItem['source'];
  batch_tag: string;
  prefix: string;
  /** `YYYY-MM-DD`, or empty. */
  expires_at: string;
  renewals: boolean;
}

const MOST_UNITS = 100;
const MOST_PRODUCTS = 20;

export function draftOf(item: ShopItem | null): ItemDraft {
  return {
    key: item?.key ?? '',
    products: (item?.products ?? []).map(({ id, name }) => ({ id, name: name ?? 'Deleted product' })),
    units: String(item?.units ?? 1),
    source: item?.source ?? 'generate',
    batch_tag: item?.batch_tag ?? '',
    prefix: item?.prefix ?? '',
    expires_at: item?.expires_at ? dayIn(item.expires_at, accountZone()) : '',
    renewals: item?.renewals === 'issue',
  };
}

/** The mistakes in a mapping that can be found without the server. */
export function mistakesIn({ key, products, units, prefix, source }: ItemDraft): Mistakes<ItemDraft> {
  const count = Number(units);
  return {
    key: !key.trim() && 'Enter the SKU.',
    products:
      products.length === 0
        ? 'Choose a product.'
        : products.length > MOST_PRODUCTS && `A bundle has at most ${MOST_PRODUCTS} products.`,
    units: !(Number.isInteger(count) && count >= 1 && count <= MOST_UNITS) && `Enter 1 to ${MOST_UNITS}.`,
    prefix:
      source === 'generate' &&
      prefix.trim() !== '' &&
      !/^[a-z0-9]{4}$/i.test(prefix.trim()) &&
      'Use exactly 4 letters or digits.',
  };
}
