import type { LinkProps } from '@tanstack/react-router';
import {
  Archive,
  AudioWaveform,
  Bell,
  BookOpen,
  Boxes,
  Braces,
  ChartNoAxesColumn,
  CreditCard,
  Download,
  FileKey2,
  Globe,
  HandCoins,
  Handshake,
  House,
  Inbox,
  Keyboard,
  KeyRound,
  LogOut,
  type LucideIcon,
  Mail,
  Megaphone,
  PackagePlus,
  Palette,
  ReceiptText,
  ScanBarcode,
  ScrollText,
  Settings2,
  ShieldX,
  ShoppingBag,
  ShoppingCart,
  Sparkles,
  Store,
  SunMoon,
  Tag,
  Upload,
  Users,
  Wallet,
  Webhook,
  Wrench,
} from 'lucide-react';
import { fold } from '#lib/format/fold.ts';
import type { Asked } from '#lib/keyboard/palette-requests.ts';

export type Act = 'theme' | 'keys' | 'help' | 'reference' | 'logout';

export type Group =
  | 'Go to'
  | 'Actions'
  | 'Serials'
  | 'Customers'
  | 'Products'
  | 'Batches'
  | 'Resellers'
  | 'Orders'
  | 'Statements'
  | 'Invoices'
  | 'Developers';

/** The groups that each kind of account can search, in the order of the chips. */
export const groupsOf = (reseller: boolean): Group[] =>
  reseller
    ? ['Go to', 'Actions', 'Orders', 'Products', 'Developers', 'Statements']
    : [
        'Go to',
        'Actions',
        'Serials',
        'Customers',
        'Orders',
        'Products',
        'Batches',
        'Resellers',
        'Statements',
        'Invoices',
      ];

export interface Entry {
  key: string;
  group: Group;
  label: string;
  detail?: string;
  icon: LucideIcon;
  /** Synonyms that people may type. */
  words?: string;
  /** The second key after g. */
  g?: string;
  /** A code in blocks, as read over a phone. */
  code?: true;
  /** The screen that the entry leads to, with what that screen does at once, or an act. */
  does: { to: LinkProps; then?: Asked } | { act: Act };
}

const screen = (label: string, icon: LucideIcon, to: LinkProps, words = '', g?: string): Entry => ({
  key: `screen ${label}`,
  group: 'Go to',
  label,
  icon,
  words,
  does: { to },
  ...(g ? { g } : {}),
});
const action = (label: string, icon: LucideIcon, does: Entry['does'], words = ''): Entry => ({
  key: `action ${label}`,
  group: 'Actions',
  label,
  icon,
  words,
  does,
});
const at = (to: LinkProps, then?: Asked) => ({ to, ...(then ? { then } : {}) });

const forEveryRole: Entry[] = [
  action('Toggle theme', SunMoon, { act: 'theme' }, 'light dark mode color'),
  action('Keyboard shortcuts', Keyboard, { act: 'keys' }, 'keys help'),
  action('Help', BookOpen, { act: 'help' }, 'guides docs manual how'),
  action('API reference', Braces, { act: 'reference' }, 'docs openapi rest http endpoints developer'),
  action('Logout', LogOut, { act: 'logout' }, 'log out sign out leave'),
];

const developer: Entry[] = [
  screen('Customers', Users, { to: '/dashboard/customers' }, 'people buyers', 'c'),
  screen('Serials: Redeemed', ScanBarcode, { to: '/dashboard/serials' }, 'codes licenses keys', 's'),
  screen('Serials: Available', ScanBarcode, { to: '/dashboard/serials/available' }, 'stock promo'),
  screen('Serials: Batches', ScanBarcode, { to: '/dashboard/serials/batches' }, 'history'),
  screen('Imports', Upload, { to: '/dashboard/imports' }, 'move in migrate csv excel file undo take back history'),
  screen('Products', Boxes, { to: '/products/edit' }, 'edit plugins', 'p'),
  screen('Analytics', ChartNoAxesColumn, { to: '/dashboard/analytics' }, 'revenue redemptions charts', 'a'),
  screen('Emails to customers', Mail, { to: '/dashboard/customers/emails' }, 'sent log failed bounced'),
  screen('Notifications', Bell, { to: '/dashboard/notifications' }, 'notices bell history'),
  screen('Orders', ShoppingCart, { to: '/dashboard/orders' }, 'sales sold shop refunds disputes', 'o'),
  screen('Resellers', Store, { to: '/dashboard/resellers' }, 'partners shops invite'),
  screen('Payouts', ReceiptText, { to: '/dashboard/payouts' }, 'statements money owed resellers balance'),
  screen(
    'Payouts: What if',
    ReceiptText,
    { to: '/dashboard/payouts', search: { tab: 'what-if' } },
    'simulate commission rate promo price compare reseller',
  ),
  screen('Billing', Wallet, { to: '/dashboard/billing' }, 'usage cost overage'),
  screen('Invoices', ReceiptText, { to: '/dashboard/billing/invoices' }, 'billing receipts pdf paid'),
  screen('Tools', Wrench, { to: '/developer/tools' }, '', 't'),
  screen(
    'Licensing API',
    KeyRound,
    { to: '/developer/tools/licensingapi' },
    'plugin keys activate curl code snippet juce c++ integrate',
  ),
  screen(
    'Refusals',
    ShieldX,
    { to: '/developer/tools/refusals' },
    'refused activations redemptions license log errors denied seat limit why live',
  ),
  screen('HISE integration', AudioWaveform, { to: '/developer/tools/hise' }, 'drop-in script plugin'),
  screen(
    'Shops',
    ShoppingCart,
    { to: '/developer/tools/shops' },
    'connect woocommerce shopify fastspring stripe paddle lemon squeezy gumroad sales',
  ),
  screen('Webhooks', Webhook, { to: '/developer/tools/webhooks' }, 'endpoints events deliveries server'),
  screen('Settings', Settings2, { to: '/dashboard/settings' }, 'account password sessions two-factor'),
  screen('Payment card', CreditCard, { to: '/dashboard/settings/card' }, 'billing pay credit'),
  screen('Audit log', ScrollText, { to: '/dashboard/settings/audit-log' }, 'who did what history'),
  screen('Requests', Inbox, { to: '/dashboard/settings/requests' }, 'api calls log scripts errors'),
  screen('Plan', CreditCard, { to: '/dashboard/settings', hash: 'plan' }, 'quota usage upgrade'),
  screen('Branding', Palette, { to: '/dashboard/settings/branding' }, 'logo color redemption page support'),
  screen(
    'Custom Domains & Branding',
    Globe,
    { to: '/developer/tools/branding' },
    'dns cname redemption links preview hostname',
  ),
  screen('Pricing', CreditCard, { to: '/pricing' }, 'plans cost'),
  action('Add product', PackagePlus, at({ to: '/products/add' }), 'new create plugin'),
  action('Generate serials', Sparkles, at({ to: '/dashboard/serials/generator' }), 'new create batch codes generator'),
  action('Import redeemed serials', Upload, at({ to: '/dashboard/serials' }, 'import'), 'csv upload'),
  action('Import available serials', Upload, at({ to: '/dashboard/serials/available' }, 'import'), 'csv upload'),
  action('Import customers', Upload, at({ to: '/dashboard/customers' }, 'import'), 'csv upload'),
  action('Export redeemed serials', Download, at({ to: '/dashboard/serials' }, 'export'), 'csv download'),
  action('Export customers', Download, at({ to: '/dashboard/customers' }, 'export'), 'csv download'),
  action(
    'Create plugin key',
    KeyRound,
    at({ to: '/developer/tools/licensingapi' }, 'create key'),
    'new licensing api secret',
  ),
  action(
    'Create access token',
    FileKey2,
    at({ to: '/dashboard/settings', hash: 'tokens' }, 'create token'),
    'new cli ci scope',
  ),
  action('Connect a shop', ShoppingCart, at({ to: '/developer/tools/shops/new' }), 'woocommerce shopify sales'),
  action('Change password', Settings2, at({ to: '/dashboard/settings', hash: 'security' }), 'security'),
  action(
    'Archive everything',
    Archive,
    at({ to: '/dashboard/settings', hash: 'data' }),
    'export backup move out leave',
  ),
  ...forEveryRole,
];

const reseller: Entry[] = [
  screen('Dashboard', House, { to: '/reseller/dashboard' }, 'home', 'd'),
  screen('Products', Boxes, { to: '/reseller/products' }, 'catalog deals', 'p'),
  screen('My deals', Tag, { to: '/reseller/my-deals' }, 'promo request'),
  screen('Till', ShoppingBag, { to: '/reseller/till' }, 'sell one by hand fair booth counter phone'),
  screen('Handed out', HandCoins, { to: '/reseller/draws' }, 'draws codes orders returned'),
  screen('Shops', ShoppingCart, { to: '/reseller/shops' }, 'connect woocommerce shopify sales'),
  screen('Orders', ShoppingCart, { to: '/reseller/orders' }, 'sales sold shop refunds', 'o'),
  screen('Partners', Handshake, { to: '/reseller/partners' }, 'developers invite'),
  screen('Transactions', ReceiptText, { to: '/reseller/transactions' }, 'customers payouts', 't'),
  screen('Analytics', ChartNoAxesColumn, { to: '/reseller/analytics' }, 'commission', 'a'),
  screen('Requests for deals', Inbox, { to: '/reseller/requests' }, 'asked pending accepted declined'),
  screen('Notifications', Bell, { to: '/reseller/notifications' }, 'notices bell history'),
  screen('Webhooks', Webhook, { to: '/reseller/webhooks' }, 'endpoints events deliveries server'),
  screen('Audit log', ScrollText, { to: '/reseller/audit-log' }, 'who did what history'),
  screen('Settings', Settings2, { to: '/reseller/settings' }, 'account password sessions', 's'),
  action(
    'Create access token',
    FileKey2,
    at({ to: '/reseller/settings', hash: 'tokens' }, 'create token'),
    'new cli shop script scope',
  ),
  screen('Pricing', CreditCard, { to: '/pricing' }, 'plans cost'),
  action('Connect a shop', ShoppingCart, at({ to: '/reseller/shops/new' }), 'woocommerce shopify sales'),
  ...forEveryRole,
];

const admin: Entry[] = [
  screen('Admin: Emails', Mail, { to: '/admin/emails' }, 'sent log failed'),
  screen('Admin: Announcements', Megaphone, { to: '/admin/announcements' }, 'newsletter send everybody'),
  screen('Admin: Billing logs', ReceiptText, { to: '/admin/billing' }, 'charges invoices payments reconciliation'),
];

export function entriesOf(isReseller: boolean, isAdmin = false): Entry[] {
  const own = isReseller ? reseller : developer;
  return isAdmin ? [...own, ...admin] : own;
}

/** Every typed word must be in the entry; those whose name begins with the first one come first. */
export function matching(entries: Entry[], text: string): Entry[] {
  const words = fold(text).split(/\s+/).filter(Boolean);
  const found = entries.filter(({ label, words: more = '', group }) => {
    const all = `${label} ${more} ${group}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const first = words[0] ?? '';
  const rank = ({ label }: Entry) =>
    label.toLowerCase().startsWith(first) ? 0 : label.toLowerCase().includes(first) ? 1 : 2;
  return found.sort((a, b) => rank(a) - rank(b));
}
