import { accounts } from '#features/accounts';
import { analytics } from '#features/analytics';
import { archives } from '#features/archives';
import { audit } from '#features/audit';
import { billing } from '#features/billing';
import { branding } from '#features/branding';
import { closing } from '#features/closing';
import { customers } from '#features/customers';
import { deals } from '#features/deals';
import { draws } from '#features/draws';
import { emails } from '#features/emails';
import { files } from '#features/files';
import { firstSteps } from '#features/first-steps';
import { imports } from '#features/imports';
import { licensing } from '#features/licensing';
import { live } from '#features/live';
import { media } from '#features/media';
import { notifications } from '#features/notifications';
import { partnerships } from '#features/partnerships';
import { payouts } from '#features/payouts';
import { plans } from '#features/plans';
import { pluginKeys } from '#features/plugin-keys';
import { products } from '#features/products';
import { redemption } from '#features/redemption';
import { sales } from '#features/reseller-sales';
import { search } from '#features/search';
import { serials } from '#features/serials';
import { shops } from '#features/shops';
import { system } from '#features/system';
import { views } from '#features/views';
import { web } from '#features/web';
import { webhooks } from '#features/webhooks';
import { Features } from '#platform/feature.ts';

/** Every feature, after those whose services it needs. A new feature is a folder and a line here. */
export const features = new Features()
  .add(audit)
  .add(emails)
  .add(media)
  .add(archives)
  .add(webhooks)
  .add(billing)
  .add(pluginKeys)
  .add(branding)
  .add(partnerships)
  .add(deals)
  .add(notifications)
  .add(serials)
  .add(draws)
  .add(plans)
  .add(customers)
  .add(files)
  .add(redemption)
  .add(shops)
  .add(payouts)
  .add(closing)
  .add(licensing)
  .add(products)
  .add(accounts)
  .add(imports)
  .add(analytics)
  .add(sales)
  .add(search)
  .add(firstSteps)
  .add(views)
  .add(live)
  .add(system)
  .add(web);
