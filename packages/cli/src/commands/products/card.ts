import type { Product } from '@tonerow/sdk';
import { list, money } from '#output/table.ts';

export function card(product: Product): string {
  return list([
    ['Name', product.name],
    ['Id', product.id],
    ['State', product.is_draft ? 'draft' : 'submitted'],
    ['Price', money(product.price)],
    ['Sale price', money(product.sale_price)],
    ['Serials available', product.serials_available],
    ['Seats', product.max_activations],
    ['Offline days', product.offline_days],
    ['Lease days', product.lease_days],
    ['Trial days', product.trial_days],
    ['On loss', product.on_loss],
    ['JUCE product id', product.juce_product_id],
    ['About', product.short_desc],
    ['Install help', product.install_help],
    ['Features', product.feature_list.join('; ')],
    ['Files', product.file_urls.map((file) => `${file.name} (${file.url})`).join('; ')],
  ]);
}
