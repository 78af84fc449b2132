import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import {
  WebhookAttempt,
  WebhookDay,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEvent,
  WebhookKey,
} from './webhooks.entity.ts';

const entities = [WebhookEndpoint, WebhookEvent, WebhookDelivery, WebhookAttempt, WebhookDay, WebhookKey] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('webhooks', entities);
export type WebhooksDb = ReturnType<typeof tables.of>;
export type WebhooksHandle = ReturnType<typeof tables.in>;
