import { Migration } from '@mikro-orm/migrations';

export class Migration20261122172555_customer_events extends Migration {
  override name = 'Migration20261122172555_customer_events';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "customer_events" ("developer_id" uuid not null, "id" uuid not null, "customer_id" uuid not null, "kind" varchar(255) not null, "detail" text not null, "former_key" text null, "happened_at" timestamptz(3) not null, primary key ("developer_id", "id"));`,
    );
    this.addSql(`create index customer_events_customer_index on customer_events (customer_id, id);`);

    this.addSql(
      `alter table "customer_events" add constraint "customer_events_customer_id_developer_id_foreign" foreign key ("customer_id", "developer_id") references "customers" ("id", "developer_id") on update no action;`,
    );
    this.addSql(
      `alter table "customer_events" add constraint "customer_events_kind_check" check (kind in ('noted', 'changed'));`,
    );
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261122172555_customer_events');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "customer_events" cascade;`);
  }
}
