import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import {
  AccessToken,
  Account,
  DeviceSignIn,
  EmailVerification,
  KnownPlace,
  OidcTrust,
  PasswordReset,
  RecoveryCode,
  Session,
  SpentIdentityToken,
} from './accounts.entity.ts';

const entities = [
  Account,
  Session,
  DeviceSignIn,
  KnownPlace,
  OidcTrust,
  SpentIdentityToken,
  AccessToken,
  PasswordReset,
  EmailVerification,
  RecoveryCode,
] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('accounts', entities);
export type AccountsDb = ReturnType<typeof tables.of>;
export type AccountsHandle = ReturnType<typeof tables.in>;
