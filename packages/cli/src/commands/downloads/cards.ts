import type { ProductCard } from '@tonerow/sdk';
import { table } from '#output/table.ts';

export function cards(products: ProductCard[]): string {
  const rows = products.map((each) => [
    each.product_name,
    each.serial_code,
    each.withdrawn ? 'no longer offered' : each.revoked ? 'suspended' : 'active',
    `${each.download_count}/${each.download_limit}`,
    each.files.map((file) => file.name).join(', '),
  ]);
  return products.length === 0
    ? 'You currently have no downloadable products.\n'
    : table(['PRODUCT', 'SERIAL', 'STATE', 'DOWNLOADS', 'FILES'], rows);
}
