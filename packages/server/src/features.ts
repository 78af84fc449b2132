import { accounts } from './features/accounts/index.ts';
import { analytics } from './features/analytics/index.ts';
import { audit } from './features/audit/index.ts';
import { billing } from './features/billing/index.ts';
import { branding } from './features/branding/index.ts';
import { closing } from './features/closing/index.ts';
import { customers } from './features/customers/index.ts';
import { deals } from './features/deals/index.ts';
import { draws } from './features/draws/index.ts';
import { notifications } from './features/emails/index.ts';
import { files } from './features/files/index.ts';
import { firstSteps } from './features/first-steps/index.ts';
import { imports } from './features/imports/index.ts';
import { licensing } from './features/licensing/index.ts';
import { live } from './features/live/index.ts';
import { media } from './features/media/index.ts';
import { notices } from './features/notifications/index.ts';
import { partnerships } from './features/partnerships/index.ts';
import { payouts } from './features/payouts/index.ts';
import { plans } from './features/plans/index.ts';
import { pluginKeys } from './features/plugin-keys/index.ts';
import { products } from './features/products/index.ts';
import { redemption } from './features/redemption/index.ts';
import { sales } from './features/reseller-sales/index.ts';
import { search } from './features/search/index.ts';
import { serials } from './features/serials/index.ts';
import { system } from './features/system/index.ts';
import { views } from './features/views/index.ts';
import { web } from './features/web/index.ts';
import { webhooks } from './features/webhooks/index.ts';
import { Features } from './platform/feature.ts';

/** Every feature, after those whose services it needs. A new feature is a folder and a line here. */
export const features = new Features()
  .add(audit)
  .add(notifications)
  .add(media)
  .add(webhooks)
  .add(billing)
  .add(pluginKeys)
  .add(branding)
  .add(partnerships)
  .add(deals)
  .add(notices)
  .add(serials)
  .add(draws)
  .add(plans)
  .add(customers)
  .add(files)
  .add(redemption)
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
