import { readScopes } from '#features/imports';
import { holds, type Principal, type Role, type Scope, scopeNames } from '#platform/access/access.ts';
import { withheldFrom } from '#platform/access/kinds.ts';
import { without } from '#platform/access/withhold.ts';
import { LiveEvent } from './live.schemas.ts';

type Type = LiveEvent['type'];
type Needs = Partial<Record<Role, readonly Scope[]>>;

/** The scopes that let an access token get a message: any of these, which also read what the message is about. */
export const needs: Record<Exclude<Type, 'resync'>, Needs> = {
  redemption: { developer: ['serials:read'] },
  refund: { developer: ['serials:read'] },
  sale: { reseller: ['sales:read'] },
  import: { developer: ['serials:read', 'customers:read'] },
  low_serials: { developer: ['serials:read', 'products:read'], reseller: ['stock:read'] },
  usage: { developer: ['account:read'] },
  license_refused: { developer: ['serials:read'] },
  invites: { developer: ['invites:read'], reseller: ['invites:read'] },
  deals: { developer: ['deals:read'], reseller: ['deals:read'] },
  partnerships: { developer: ['resellers:read'], reseller: ['partners:read'] },
  stock: { developer: ['serials:read', 'resellers:read'], reseller: ['stock:read'] },
  payout: { developer: ['payouts:read'], reseller: ['payouts:read'] },
  billing: { developer: ['account:read'] },
  card: { developer: ['account:read'] },
  webhook: { developer: ['webhooks:read'], reseller: ['webhooks:read'] },
  shop_order: { developer: ['shops:read'] },
  shop: { developer: ['shops:read'] },
  webhook_failing: { developer: ['webhooks:read'], reseller: ['webhooks:read'] },
};

const all = new Set(Object.values(needs).flatMap((each) => Object.values(each).flat()));
/** Any of these opens the stream. */
export const streamScopes = scopeNames.filter((scope) => all.has(scope));

/** A message as a listener gets it, without the data that the token may not read; null: the listener gets nothing. */
export function shownLive(caller: Principal, event: LiveEvent): LiveEvent | null {
  if (caller.scopes === null || event.type === 'resync') return event;
  const own = needs[event.type][caller.role] ?? [];
  const needed = event.type === 'import' ? own.filter((scope) => scope === readScopes[event.data.kind]) : own;
  return holds(caller, needed) ? without(LiveEvent, event, withheldFrom(caller)) : null;
}
