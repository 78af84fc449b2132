import type { EntitySchema } from '@mikro-orm/postgresql';
import { AccessToken, PasswordReset, Session, User } from './features/accounts/index.ts';
import { Customer } from './features/customers/index.ts';
import { Activation, SigningKey } from './features/licensing/index.ts';
import { Partnership } from './features/partnerships/index.ts';
import { UsageMonth } from './features/plans/index.ts';
import { PluginKey, PluginKeyReveal } from './features/plugin-keys/index.ts';
import { Product } from './features/products/index.ts';
import { RedeemTicket, Redemption } from './features/redemption/index.ts';
import { Batch, Serial } from './features/serials/index.ts';
import { IdempotencyRecord } from './platform/http/idempotency.entity.ts';
import { RateLimit } from './platform/http/rate-limit.entity.ts';

/** Every table of ours, in the order in which they lean on each other. */
export const entities = [
  User,
  Session,
  AccessToken,
  PasswordReset,
  Partnership,
  Product,
  UsageMonth,
  Customer,
  Batch,
  Serial,
  Redemption,
  RedeemTicket,
  PluginKey,
  PluginKeyReveal,
  SigningKey,
  Activation,
  IdempotencyRecord,
  RateLimit,
] as unknown as readonly EntitySchema[];
