import { Boxes, House, type LucideIcon, ScanBarcode, Settings2, Wrench } from 'lucide-react';

interface MenuEntry {
  label: string;
  icon: LucideIcon;
  to:
    | '/dashboard/serials'
    | '/products/edit'
    | '/developer/tools'
    | '/dashboard/settings'
    | '/reseller/dashboard'
    | '/reseller/settings';
  /** The addresses under which the entry counts as the current one. */
  under: string;
}

export const developerMenu: MenuEntry[] = [
  { label: 'Serials', icon: ScanBarcode, to: '/dashboard/serials', under: '/dashboard/serials' },
  { label: 'Products', icon: Boxes, to: '/products/edit', under: '/products' },
  { label: 'Tools', icon: Wrench, to: '/developer/tools', under: '/developer/tools' },
  { label: 'Settings', icon: Settings2, to: '/dashboard/settings', under: '/dashboard/settings' },
];

export const resellerMenu: MenuEntry[] = [
  { label: 'Dashboard', icon: House, to: '/reseller/dashboard', under: '/reseller/dashboard' },
  { label: 'Settings', icon: Settings2, to: '/reseller/settings', under: '/reseller/settings' },
];
