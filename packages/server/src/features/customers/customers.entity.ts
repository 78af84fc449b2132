import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';
import { sameTenant } from '#platform/db/schema/tenant-reference.ts';
import { folded } from '#platform/db/statements/like.ts';
import { ofLists } from '#platform/db/statements/list-index.ts';
import type { Language } from '#platform/text/languages.ts';

/** Address and name as searches compare them. */
export const personOf = (c: '' | 'c.') =>
  folded(`(${c}email_key || ' ' || coalesce(${c}first_name, '') || ' ' || coalesce(${c}last_name, ''))`);

/** A person who redeemed a serial of this developer. The same person at two developers is two customers. */
export const Customer = defineEntity({
  name: 'Customer',
  tableName: 'customers',
  properties: {
    id: p.uuid().primary(),
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    email: p.text(),
    /** Lower case; by bytes, so that its index finds beginnings too. */
    emailKey: p.text().collation('C'),
    firstName: p.text().nullable(),
    lastName: p.text().nullable(),
    createdAt: p.datetime(3),
    lastLoginAt: p.datetime(3).nullable(),
    /** When they first followed a link that was sent to the address that they have. */
    provenAt: p.datetime(3).nullable(),
    /** The language of the page at the last redemption. Null: unknown, as after a redemption by a plugin. */
    language: p.string().$type<Language>().nullable(),
    /** When they opted out of emails about new versions. Null: they get them. */
    noUpdatesAt: p.datetime(3).nullable(),
    /** When the personal data of the row was erased. */
    erasedAt: p.datetime(3).nullable(),
    /** The import that brought them; null: they came otherwise, or before that was noted. */
    importId: p.uuid().nullable(),
    /** The import that filled in a name that was missing: it takes the name along when it is taken back. */
    firstNameFrom: p.uuid().nullable(),
    lastNameFrom: p.uuid().nullable(),
  },
  indexes: [
    { name: 'customers_list_index', properties: ['developerId', 'createdAt', 'id'], where: ofLists() },
    {
      name: 'customers_search_index',
      expression: `create index customers_search_index on customers using gin (${personOf('')} gin_trgm_ops)`,
    },
  ],
  checks: [{ name: 'customers_language_check', expression: "language in ('en', 'de', 'fr', 'es', 'ja')" }],
  uniques: [{ name: 'customers_developer_email_unique', properties: ['emailKey', 'developerId'] }],
});
export type Customer = InferEntity<typeof Customer>;

export type CustomerEventKind = 'noted' | 'changed';

/** An action of the developer on a customer. It names people, so it is deleted when the customer is erased. */
export const CustomerEvent = defineEntity({
  name: 'CustomerEvent',
  tableName: 'customer_events',
  properties: {
    developerId: p.uuid().primary(),
    id: p.uuid().primary(),
    customer: () => sameTenant(Customer, 'customer_id'),
    kind: p.string().$type<CustomerEventKind>(),
    /** The note, or what was changed. */
    detail: p.text(),
    /** The address until then, normalized, when it was changed: emails to it are forgotten with the customer. */
    formerKey: p.text().nullable(),
    happenedAt: p.datetime(3),
  },
  indexes: [
    {
      name: 'customer_events_customer_index',
      expression: 'create index customer_events_customer_index on customer_events (customer_id, id)',
    },
  ],
  checks: [{ name: 'customer_events_kind_check', expression: "kind in ('noted', 'changed')" }],
});
export type CustomerEvent = InferEntity<typeof CustomerEvent>;
