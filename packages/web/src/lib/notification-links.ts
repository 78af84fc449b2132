import { type LinkProps, linkOptions } from '@tanstack/react-router';
import type { KeptNotice } from './types.ts';

/** The link to the screen with more about a notification, by the role that reads it. */
export function linkOf({ kind, object_id: id }: Pick<KeptNotice, 'kind' | 'object_id'>, reseller: boolean): LinkProps {
  switch (kind) {
    case 'low_serials':
      if (reseller) return linkOptions({ to: '/reseller/products' });
      return id
        ? linkOptions({ to: '/dashboard/products/$productId', params: { productId: id } })
        : linkOptions({ to: '/products' });
    case 'import':
      return id
        ? linkOptions({ to: '/dashboard/imports/$importId', params: { importId: id } })
        : linkOptions({ to: '/dashboard/imports' });
    case 'usage':
      return linkOptions({ to: '/dashboard/billing' });
    case 'billing':
      return id
        ? linkOptions({ to: '/dashboard/billing/invoices/$id', params: { id } })
        : linkOptions({ to: '/dashboard/billing' });
    case 'card':
      return linkOptions({ to: '/dashboard/settings', hash: 'billing' });
    case 'webhook':
      if (!id)
        return reseller ? linkOptions({ to: '/reseller/webhooks' }) : linkOptions({ to: '/developer/tools/webhooks' });
      return reseller
        ? linkOptions({ to: '/reseller/webhooks/$id', params: { id } })
        : linkOptions({ to: '/developer/tools/webhooks/$id', params: { id } });
    case 'shop':
      if (!id) return reseller ? linkOptions({ to: '/reseller/shops' }) : linkOptions({ to: '/developer/tools/shops' });
      return reseller
        ? linkOptions({ to: '/reseller/shops/$id', params: { id } })
        : linkOptions({ to: '/developer/tools/shops/$id', params: { id } });
    case 'payout':
      if (!id)
        return reseller ? linkOptions({ to: '/reseller/transactions' }) : linkOptions({ to: '/dashboard/payouts' });
      return reseller
        ? linkOptions({ to: '/reseller/payouts/$id', params: { id } })
        : linkOptions({ to: '/dashboard/payouts/$id', params: { id } });
  }
}
