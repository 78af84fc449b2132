import { Migration } from '@mikro-orm/migrations';

export class Migration20261122134105_billing_cards extends Migration {
  override name = 'Migration20261122134105_billing_cards';

  override up(): void | Promise<void> {
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261122134105_billing_cards');`);
    this.addSql(
      `create table "stripe_events" ("id" text not null, "type" text not null, "object_id" text null, "received_at" timestamptz(3) not null, "processed_at" timestamptz(3) null, "error" text null, primary key ("id"));`,
    );
    this.addSql(`create index "stripe_events_received_index" on "stripe_events" ("received_at");`);

    this.addSql(
      `create table "setup_intents" ("developer_id" uuid not null, "id" text not null, "status" varchar(255) not null default 'open', "created_at" timestamptz(3) not null, primary key ("developer_id", "id"));`,
    );
    this.addSql(
      `create index "setup_intents_open_index" on "setup_intents" ("developer_id", "created_at") where status = 'open';`,
    );

    this.addSql(
      `create table "billing_customers" ("developer_id" uuid not null, "stripe_customer_id" text not null, "payment_method_id" text null, "brand" text null, "last4" text null, "exp_month" int null, "exp_year" int null, "synced_at" timestamptz(3) null, "expiry_warned_for" text null, "busy_until" timestamptz(3) null, primary key ("developer_id"));`,
    );
    this.addSql(
      `create index "billing_customers_card_index" on "billing_customers" ("payment_method_id") where payment_method_id is not null;`,
    );
    this.addSql(
      `create index billing_customers_expiry_index on billing_customers (exp_year, exp_month) where payment_method_id is not null and expiry_warned_for is distinct from payment_method_id;`,
    );
    this.addSql(
      `alter table "billing_customers" add constraint "billing_customers_stripe_unique" unique ("stripe_customer_id", "developer_id");`,
    );

    this.addSql(
      `alter table "setup_intents" add constraint "setup_intents_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(
      `alter table "setup_intents" add constraint "setup_intents_status_check" check (status in ('open', 'succeeded', 'canceled'));`,
    );

    this.addSql(
      `alter table "billing_customers" add constraint "billing_customers_developer_id_foreign" foreign key ("developer_id") references "users" ("id") on update cascade on delete cascade;`,
    );
    this.addSql(
      `alter table "billing_customers" add constraint "billing_customers_card_check" check ((payment_method_id is null) = (brand is null) and (brand is null) = (last4 is null) and (last4 is null) = (exp_month is null) and (exp_month is null) = (exp_year is null));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "stripe_events" cascade;`);
    this.addSql(`drop table if exists "setup_intents" cascade;`);
    this.addSql(`drop table if exists "billing_customers" cascade;`);
  }
}
