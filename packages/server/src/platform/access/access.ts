/** Who may call a route. Declared in the route's config, the OpenAPI document and the access table of the tests. */
export type Access =
  /** `knows`: a signed-in caller may omit the account that a call is about, and then needs this. */
  | { as: 'public'; knows?: { role: Role; scope: Scope } }
  /** A signed-in person, not a script: account, password, session, token and card calls. */
  | ({ as: 'session'; role?: Role } & Proof)
  /** A signed-in person, or an access token with the scope, or with one of several. */
  | ({
      as: 'user';
      role?: Role;
      scope: Scope | readonly Scope[];
      /** Kinds of data that the call itself makes or names: its answer has them, whatever else the token may read. */
      shows?: readonly Kind[];
    } & Proof)
  | ({ as: 'admin' } & Proof)
  /** A plugin key, answered in the licensing API's own form. */
  | { as: 'plugin' };

interface Proof {
  /** Only for accounts with a verified email address: whatever reaches other people, or costs money. */
  verified?: true;
}

export type Role = 'developer' | 'reseller';

/** Data that has a rule of its own, whichever call has it: see `kinds`. */
export type Kind = 'people' | 'codes';

/** The scopes of access tokens, with the words that a person reads. */
export const scopes = {
  'account:read': 'Read the account',
  'account:write': 'Change branding and domains',
  'products:read': 'Read products',
  'products:write': 'Create, change, publish and delete products',
  'serials:read': 'Read serials, their codes and redemptions',
  'serials:write': 'Generate, revoke and reassign serials',
  'keys:read': 'List plugin keys',
  'keys:write': 'Create, reveal and delete plugin keys',
  'customers:read': 'Read and export customers, and their names wherever they appear',
  'customers:write': 'Import and erase customers',
  'analytics:read': 'Read analytics',
  'refunds:write': 'Refund redemptions',
  'sales:read': 'Read sales, commissions and their customers',
  'resellers:read': 'Read resellers',
  'stock:read': 'Read stock, draws and downloads',
  'stock:write': 'Draw, return and download serials',
  'deals:read': 'Read deals and requests for them',
  'deals:write': 'Request, withdraw and decline deals',
  'resellers:write': 'Change, pause, end and message resellers',
  'partners:read': 'Read the developers you sell for',
  'payouts:read': 'Read payout statements',
  'payouts:write': 'Confirm, dispute and settle payout statements',
  'webhooks:read': 'Read webhooks, their deliveries and events',
  'webhooks:write': 'Create, change, test and delete webhooks',
  'shops:read': 'Read shops and their orders',
  'shops:write': 'Connect and map shops, and record sales',
  'invites:read': 'Read invitations',
  'invites:write': 'Send and answer invitations',
} as const;
export type Scope = keyof typeof scopes;
export const scopeNames = Object.keys(scopes) as [Scope, ...Scope[]];

/** The caller of a request. */
export interface Principal {
  kind: 'session' | 'access_token';
  /** The session's or the token's id. */
  credentialId: string;
  expiresAt: Date | null;
  accountId: string;
  role: Role;
  isAdmin: boolean;
  /** Whether the account's email address is known to be its owner's. */
  emailVerified: boolean;
  timeZone: string;
  /** Null: everything the person may do. */
  scopes: Scope[] | null;
}

/** Whether the caller may do what needs this scope, or one of these. */
export function holds({ scopes: held }: Principal, wanted: Scope | readonly Scope[]): boolean {
  return held === null || [wanted].flat().some((scope) => held.includes(scope));
}

/**
 * Port: the feature that knows sessions and tokens answers who a bearer credential is, or null. `sessionId` reads it as the
 * token of a session: null when it is none of ours.
 */
export type Authenticate = (bearer: string, sessionId: () => Promise<string | null>) => Promise<Principal | null>;
