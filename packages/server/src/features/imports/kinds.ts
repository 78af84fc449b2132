import type { Scope } from '#platform/access/access.ts';

export const importKinds = ['available', 'redeemed', 'customers'] as const;
export type ImportKind = (typeof importKinds)[number];

/** The scope that an access token needs to read such an import. */
export const readScopes = {
  available: 'serials:read',
  redeemed: 'serials:read',
  customers: 'customers:read',
} as const satisfies Record<ImportKind, Scope>;

/** The scope that an access token needs to make such an import, or to take it back. */
export const writeScopes = {
  available: 'serials:write',
  redeemed: 'serials:write',
  customers: 'customers:write',
} as const satisfies Record<ImportKind, Scope>;
