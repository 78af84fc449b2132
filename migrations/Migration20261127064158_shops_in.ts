import { Migration } from '@mikro-orm/migrations';

export class Migration20261127064158_shops_in extends Migration {
  override name = 'Migration20261127064158_shops_in';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "shop_deliveries" ("id" uuid not null, "developer_id" uuid not null, "connection_id" uuid not null, "key" text null, "body_hash" bytea not null, "body" bytea not null, "headers" text not null, "event" text not null, "order_key" text null, "state" text not null, "why" text null, "received_at" timestamptz(3) not null, "done_at" timestamptz(3) null, primary key ("id", "developer_id"));`,
    );
    this.addSql(
      `create unique index shop_deliveries_key_unique on shop_deliveries (connection_id, key, developer_id) where key is not null;`,
    );
    this.addSql(
      `create unique index shop_deliveries_hash_unique on shop_deliveries (connection_id, body_hash, developer_id) where key is null and state = 'received';`,
    );
    this.addSql(
      `create index shop_deliveries_order_index on shop_deliveries (connection_id, order_key, id) where order_key is not null;`,
    );
    this.addSql(`create index "shop_deliveries_list_index" on "shop_deliveries" ("connection_id", "id");`);
    this.addSql(
      `create index shop_deliveries_waiting_index on shop_deliveries (connection_id, id) where state = 'received';`,
    );
    this.addSql(`create index "shop_deliveries_expiry_index" on "shop_deliveries" ("received_at");`);

    this.addSql(
      `create table "shop_items" ("developer_id" uuid not null, "connection_id" uuid not null, "key" text not null, "name" text not null, "product_ids" uuid[] not null, "units" int not null, "source" text not null, "batch_tag" text null, "prefix" text null, "expires_at" timestamptz(3) null, "renewals" text not null, "seen_at" timestamptz(3) not null, "mapped_at" timestamptz(3) null, primary key ("developer_id", "connection_id", "key"));`,
    );

    this.addSql(
      `create table "shop_rates" ("currency" text not null, "day" date not null, "usd" text not null, primary key ("currency", "day"));`,
    );

    this.addSql(
      `create table "shop_connections" ("id" uuid not null, "developer_id" uuid not null, "kind" text not null, "name" text not null, "mode" text not null, "token" text not null, "secret" bytea null, "previous_secret" bytea null, "previous_until" timestamptz(3) null, "credentials" bytea null, "state" text not null, "trouble" text null, "delivering" text not null, "on_refund" text not null, "on_dispute" text not null, "is_recorded" boolean not null default false, "last_event_at" timestamptz(3) null, "refused_at" timestamptz(3) null, "refused_why" text null, "cursor" text null, "last_reconciled_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "deleted_at" timestamptz(3) null, primary key ("id", "developer_id"));`,
    );
    this.addSql(
      `create index shop_connections_list_index on shop_connections (developer_id, id) where created_at > '-infinity';`,
    );
    this.addSql(
      `create unique index shop_connections_recorded_unique on shop_connections (is_recorded, developer_id) where is_recorded and deleted_at is null;`,
    );
    this.addSql(
      `alter table "shop_connections" add constraint "shop_connections_token_unique" unique ("token", "developer_id");`,
    );

    this.addSql(
      `create table "shop_orders" ("id" uuid not null, "developer_id" uuid not null, "connection_id" uuid not null, "external_id" text not null, "number" text not null, "state" text not null, "reasons" text[] not null, "settled" text[] not null, "is_test" boolean not null default false, "paid_at" timestamptz(3) null, "canceled_at" timestamptz(3) null, "version_at" timestamptz(3) null, "email_as_sold" text null, "email" text null, "email_key" text null, "first_name" text null, "last_name" text null, "language" text null, "country" text null, "currency" text null, "net_minor" bigint not null default '0', "usd_cents" int null, "note" text null, "received_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "issued_at" timestamptz(3) null, "erased_at" timestamptz(3) null, primary key ("id", "developer_id"));`,
    );
    this.addSql(
      `create index "shop_orders_list_index" on "shop_orders" ("developer_id", "id") where received_at > '-infinity';`,
    );
    this.addSql(
      `create index "shop_orders_state_index" on "shop_orders" ("developer_id", "state", "id") where received_at > '-infinity';`,
    );
    this.addSql(
      `create index "shop_orders_number_index" on "shop_orders" ("developer_id", "number") where received_at > '-infinity';`,
    );
    this.addSql(
      `create index shop_orders_email_index on shop_orders (email_key, developer_id, id) where email_key is not null;`,
    );
    this.addSql(`create index shop_orders_connection_index on shop_orders (connection_id, id);`);
    this.addSql(
      `alter table "shop_orders" add constraint "shop_orders_external_unique" unique ("connection_id", "developer_id", "external_id");`,
    );

    this.addSql(
      `create table "shop_reversals" ("id" uuid not null, "developer_id" uuid not null, "order_id" uuid not null, "key" text not null, "kind" text not null, "is_whole" boolean not null, "lines" jsonb null, "amount" text null, "undoes" text null, "state" text not null, "happened_at" timestamptz(3) not null, "seen_at" timestamptz(3) not null, primary key ("id", "developer_id"));`,
    );
    this.addSql(
      `alter table "shop_reversals" add constraint "shop_reversals_key_unique" unique ("order_id", "developer_id", "key");`,
    );

    this.addSql(
      `create table "shop_lines" ("id" uuid not null, "developer_id" uuid not null, "order_id" uuid not null, "external_id" text not null, "position" int not null, "keys" text[] not null, "sku" text null, "name" text not null, "quantity" int not null, "paid_quantity" int not null default 0, "net_minor" bigint not null, "money_at" timestamptz(3) not null, "currency" text not null, "usd_cents" int null, "rate" text null, "rate_source" text not null, "is_renewal" boolean not null default false, "item_key" text null, "product_ids" uuid[] null, "units" int null, "source" text null, "batch_tag" text null, "prefix" text null, "expires_at" timestamptz(3) null, primary key ("id", "developer_id"));`,
    );
    this.addSql(`create index shop_lines_unmapped_index on shop_lines (order_id) where product_ids is null;`);
    this.addSql(
      `alter table "shop_lines" add constraint "shop_lines_external_unique" unique ("order_id", "developer_id", "external_id");`,
    );

    this.addSql(
      `create table "shop_units" ("id" uuid not null, "developer_id" uuid not null, "order_id" uuid not null, "line_id" uuid not null, "n" int not null, "product_id" uuid not null, "state" text not null, "serial_id" uuid null, "code" text null, "draw_id" uuid null, "usd_cents" int null, "cut_cents" int not null default 0, "refunded_cents" int not null default 0, "decision" text null, "mail_id" uuid null, "issued_at" timestamptz(3) null, "ended_at" timestamptz(3) null, primary key ("id", "developer_id"));`,
    );
    this.addSql(`create index "shop_units_order_index" on "shop_units" ("order_id", "developer_id");`);
    this.addSql(`create index shop_units_waiting_index on shop_units (product_id, order_id) where state = 'waiting';`);
    this.addSql(
      `alter table "shop_units" add constraint "shop_units_place_unique" unique ("line_id", "developer_id", "n");`,
    );
    this.addSql(
      `alter table "shop_units" add constraint "shop_units_serial_unique" unique ("serial_id", "developer_id");`,
    );

    this.addSql(`alter table "serials" add "paid_cents" int null;`);
    this.addSql(`alter table "serials" add constraint "serials_paid_check" check (paid_cents >= 0);`);

    this.addSql(
      `alter table "shop_deliveries" add constraint "shop_deliveries_state_check" check (state in ('received', 'done', 'ignored', 'failed'));`,
    );
    this.addSql(
      `alter table "shop_deliveries" add constraint "shop_deliveries_done_check" check ((state = 'received') = (done_at is null));`,
    );

    this.addSql(`alter table "shop_items" add constraint "shop_items_units_check" check (units > 0);`);
    this.addSql(
      `alter table "shop_items" add constraint "shop_items_mapped_check" check ((mapped_at is null) = (product_ids = '{}'));`,
    );

    this.addSql(
      `alter table "shop_connections" add constraint "shop_connections_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(
      `alter table "shop_connections" add constraint "shop_connections_state_check" check (state in ('active', 'attention', 'off'));`,
    );
    this.addSql(
      `alter table "shop_connections" add constraint "shop_connections_previous_check" check ((previous_secret is null) = (previous_until is null));`,
    );

    this.addSql(
      `alter table "shop_orders" add constraint "shop_orders_connection_id_developer_id_foreign" foreign key ("connection_id", "developer_id") references "shop_connections" ("id", "developer_id") on update no action on delete no action;`,
    );
    this.addSql(
      `alter table "shop_orders" add constraint "shop_orders_state_check" check (state in ('seen', 'pending', 'paid', 'issued', 'attention', 'canceled', 'refunded', 'disputed'));`,
    );

    this.addSql(
      `alter table "shop_reversals" add constraint "shop_reversals_order_id_developer_id_foreign" foreign key ("order_id", "developer_id") references "shop_orders" ("id", "developer_id") on update no action on delete cascade;`,
    );
    this.addSql(
      `alter table "shop_reversals" add constraint "shop_reversals_kind_check" check (kind in ('refund', 'chargeback', 'inquiry', 'reinstatement'));`,
    );
    this.addSql(
      `alter table "shop_reversals" add constraint "shop_reversals_state_check" check (state in ('seen', 'applied', 'asked', 'undone'));`,
    );

    this.addSql(
      `alter table "shop_lines" add constraint "shop_lines_order_id_developer_id_foreign" foreign key ("order_id", "developer_id") references "shop_orders" ("id", "developer_id") on update no action on delete cascade;`,
    );
    this.addSql(
      `alter table "shop_lines" add constraint "shop_lines_quantity_check" check (quantity >= 0 and paid_quantity >= 0);`,
    );
    this.addSql(
      `alter table "shop_lines" add constraint "shop_lines_money_check" check (net_minor >= 0 and usd_cents >= 0);`,
    );

    this.addSql(
      `alter table "shop_units" add constraint "shop_units_line_id_developer_id_foreign" foreign key ("line_id", "developer_id") references "shop_lines" ("id", "developer_id") on update no action on delete cascade;`,
    );
    this.addSql(
      `alter table "shop_units" add constraint "shop_units_state_check" check (state in ('wanted', 'waiting', 'issued', 'delivered', 'suspended', 'revoked', 'kept'));`,
    );
    this.addSql(
      `alter table "shop_units" add constraint "shop_units_money_check" check (usd_cents >= 0 and cut_cents >= 0 and refunded_cents >= 0);`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "shop_orders" drop constraint "shop_orders_connection_id_developer_id_foreign";`);
    this.addSql(`alter table "shop_reversals" drop constraint "shop_reversals_order_id_developer_id_foreign";`);
    this.addSql(`alter table "shop_lines" drop constraint "shop_lines_order_id_developer_id_foreign";`);
    this.addSql(`alter table "shop_units" drop constraint "shop_units_line_id_developer_id_foreign";`);

    this.addSql(`drop table if exists "shop_deliveries" cascade;`);
    this.addSql(`drop table if exists "shop_items" cascade;`);
    this.addSql(`drop table if exists "shop_rates" cascade;`);
    this.addSql(`drop table if exists "shop_connections" cascade;`);
    this.addSql(`drop table if exists "shop_orders" cascade;`);
    this.addSql(`drop table if exists "shop_reversals" cascade;`);
    this.addSql(`drop table if exists "shop_lines" cascade;`);
    this.addSql(`drop table if exists "shop_units" cascade;`);

    this.addSql(`alter table "serials" drop constraint "serials_paid_check";`);
    this.addSql(`alter table "serials" drop column "paid_cents";`);
  }
}
