import type { Command, Noun } from '#define/command.ts';
import { account } from './account/index.ts';
import { analyticsCommand } from './analytics.ts';
import { announcements } from './announcements/index.ts';
import { apiCommand } from './api.ts';
import { billing } from './billing/index.ts';
import { billingLog } from './billing-log/index.ts';
import { branding } from './branding/index.ts';
import { customers } from './customers/index.ts';
import { deals } from './deals/index.ts';
import { domains } from './domains/index.ts';
import { downloads } from './downloads/index.ts';
import { drawCommand } from './draw.ts';
import { draws } from './draws/index.ts';
import { emails } from './emails/index.ts';
import { exports } from './export/index.ts';
import { files } from './files/index.ts';
import { importCommand } from './import.ts';
import { imports } from './imports/index.ts';
import { invites } from './invites/index.ts';
import { keys } from './keys/index.ts';
import { license } from './license/index.ts';
import { machines } from './machines/index.ts';
import { partners } from './partners/index.ts';
import { payouts } from './payouts/index.ts';
import { plan } from './plan/index.ts';
import { plansCommand } from './plans.ts';
import { plugin } from './plugin/index.ts';
import { products } from './products/index.ts';
import { profilesCommand } from './profiles.ts';
import { redeemCommand } from './redeem.ts';
import { refundCommand } from './refund.ts';
import { resellers } from './resellers/index.ts';
import { sales } from './sales/index.ts';
import { searchCommand } from './search.ts';
import { sellCommand } from './sell.ts';
import { serials } from './serials/index.ts';
import { session } from './session/index.ts';
import { shops } from './shops/index.ts';
import { stock } from './stock/index.ts';
import { tokens } from './tokens/index.ts';
import { trust } from './trust/index.ts';
import { uiCommand } from './ui.ts';
import { views } from './views/index.ts';
import { webhooks } from './webhooks/index.ts';

/** Commands and nouns in the order of the help. A new noun is a folder and a line here. */
const entries: readonly (Command | Noun)[] = [
  ...session,
  profilesCommand,
  products,
  files,
  serials,
  customers,
  importCommand,
  imports,
  analyticsCommand,
  searchCommand,
  uiCommand,
  keys,
  plugin,
  views,
  webhooks,
  shops,
  redeemCommand,
  refundCommand,
  downloads,
  branding,
  domains,
  emails,
  announcements,
  license,
  machines,
  account,
  exports,
  tokens,
  trust,
  resellers,
  partners,
  sales,
  deals,
  drawCommand,
  sellCommand,
  draws,
  stock,
  invites,
  payouts,
  plan,
  plansCommand,
  billing,
  billingLog,
  apiCommand,
];

export const commands: readonly Command[] = entries.flatMap((entry) =>
  'commands' in entry ? entry.commands : [entry],
);

/** The description of each noun. */
export const about: Record<string, string> = Object.fromEntries(
  entries.flatMap((entry) => ('commands' in entry ? [[entry.name, entry.about]] : [])),
);
