import {
  Boxes,
  ChartNoAxesColumn,
  HandCoins,
  Handshake,
  House,
  type LucideIcon,
  ReceiptText,
  Settings2,
  ShoppingBag,
  ShoppingCart,
  Store,
  Tag,
  Users,
  Wallet,
  Webhook,
  Wrench,
} from 'lucide-react';

interface MenuEntry {
  label: string;
  icon: LucideIcon;
  to: string;
  /** The addresses under which the entry counts as the current one, when they are more than its own. */
  under?: string[];
}

export const developerMenu: MenuEntry[] = [
  // their serials are a tab there
  {
    label: 'Customers',
    icon: Users,
    to: '/dashboard/customers',
    under: ['/dashboard/customers', '/dashboard/serials', '/dashboard/batches', '/dashboard/imports'],
  },
  { label: 'Products', icon: Boxes, to: '/products', under: ['/products', '/dashboard/products'] },
  { label: 'Orders', icon: ShoppingCart, to: '/dashboard/orders' },
  { label: 'Resellers', icon: Store, to: '/dashboard/resellers' },
  { label: 'Payouts', icon: ReceiptText, to: '/dashboard/payouts' },
  { label: 'Analytics', icon: ChartNoAxesColumn, to: '/dashboard/analytics' },
  { label: 'Billing', icon: Wallet, to: '/dashboard/billing' },
  { label: 'Tools', icon: Wrench, to: '/developer/tools' },
  { label: 'Settings', icon: Settings2, to: '/dashboard/settings' },
];

export const resellerMenu: MenuEntry[] = [
  { label: 'Dashboard', icon: House, to: '/reseller/dashboard' },
  { label: 'Products', icon: Boxes, to: '/reseller/products' },
  { label: 'My deals', icon: Tag, to: '/reseller/my-deals' },
  { label: 'Till', icon: ShoppingBag, to: '/reseller/till' },
  { label: 'Handed out', icon: HandCoins, to: '/reseller/draws' },
  { label: 'Shops', icon: ShoppingCart, to: '/reseller/shops', under: ['/reseller/shops', '/reseller/orders'] },
  {
    label: 'Partners',
    icon: Handshake,
    to: '/reseller/partners',
    under: ['/reseller/partners', '/reseller/developers'],
  },
  {
    label: 'Transactions',
    icon: ReceiptText,
    to: '/reseller/transactions',
    under: ['/reseller/transactions', '/reseller/payouts'],
  },
  { label: 'Analytics', icon: ChartNoAxesColumn, to: '/reseller/analytics' },
  { label: 'Webhooks', icon: Webhook, to: '/reseller/webhooks' },
  { label: 'Settings', icon: Settings2, to: '/reseller/settings' },
];
