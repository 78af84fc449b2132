import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import {
  AccessToken,
  EmailVerification,
  KnownPlace,
  PasswordReset,
  RecoveryCode,
  Session,
  User,
} from './accounts.entity.ts';

const entities = [User, Session, KnownPlace, AccessToken, PasswordReset, EmailVerification, RecoveryCode] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('accounts', entities);
export type AccountsDb = ReturnType<typeof tables.of>;
export type AccountsHandle = ReturnType<typeof tables.in>;
