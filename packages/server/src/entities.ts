import type { EntitySchema } from '@mikro-orm/postgresql';
import {
  AccessToken,
  EmailVerification,
  KnownPlace,
  PasswordReset,
  RecoveryCode,
  Session,
  User,
} from './features/accounts/index.ts';
import { CustomDomain } from './features/branding/index.ts';
import { Customer } from './features/customers/index.ts';
import { StoredFile } from './features/files/index.ts';
import { Import } from './features/imports/index.ts';
import { Activation, LicenseRefusalNote, ProductKey, SigningKey, Trial } from './features/licensing/index.ts';
import { AccountClosing, Announcement, SentMail } from './features/notifications/index.ts';
import { Partnership } from './features/partnerships/index.ts';
import { RefreshCharge, UsageMonth } from './features/plans/index.ts';
import { PluginKey, PluginKeyReveal } from './features/plugin-keys/index.ts';
import { Product } from './features/products/index.ts';
import { LedgerCountry, LedgerDay, RedeemTicket, Redemption } from './features/redemption/index.ts';
import { Batch, Serial, SerialEvent } from './features/serials/index.ts';
import { RollingMigration } from './platform/db/rolling-migration.entity.ts';
import { IdempotencyRecord } from './platform/http/idempotency.entity.ts';
import { RateLimit } from './platform/http/rate-limit.entity.ts';
import { SecretProbe } from './platform/secret-probe.entity.ts';

/** Every table of ours, in the order in which they lean on each other. */
export const entities = [
  User,
  Session,
  KnownPlace,
  AccessToken,
  PasswordReset,
  EmailVerification,
  RecoveryCode,
  Partnership,
  Product,
  StoredFile,
  UsageMonth,
  RefreshCharge,
  Customer,
  Batch,
  Serial,
  SerialEvent,
  Redemption,
  LedgerDay,
  LedgerCountry,
  RedeemTicket,
  PluginKey,
  PluginKeyReveal,
  SigningKey,
  Activation,
  ProductKey,
  Trial,
  LicenseRefusalNote,
  Import,
  CustomDomain,
  SentMail,
  Announcement,
  AccountClosing,
  IdempotencyRecord,
  RateLimit,
  RollingMigration,
  SecretProbe,
] as unknown as readonly EntitySchema[];
