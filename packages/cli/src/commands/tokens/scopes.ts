import type { InputOf } from '@tonerow/sdk';
import { everyOf } from '#define/option-types.ts';

type Scope = InputOf<'createAccessToken'>['body']['scopes'][number];

export const SCOPES = everyOf<Scope>({
  'account:read': 0,
  'account:write': 0,
  'products:read': 0,
  'products:write': 0,
  'serials:read': 0,
  'serials:write': 0,
  'keys:read': 0,
  'keys:write': 0,
  'customers:read': 0,
  'customers:write': 0,
  'analytics:read': 0,
  'refunds:write': 0,
  'sales:read': 0,
  'resellers:read': 0,
  'stock:read': 0,
  'stock:write': 0,
  'deals:read': 0,
  'deals:write': 0,
  'resellers:write': 0,
  'partners:read': 0,
  'payouts:read': 0,
  'payouts:write': 0,
  'webhooks:read': 0,
  'webhooks:write': 0,
  'shops:read': 0,
  'shops:write': 0,
  'invites:read': 0,
  'invites:write': 0,
});
