import { Migration } from '@mikro-orm/migrations';

export class Migration20261127160347_order_links_and_duplicates extends Migration {
  override name = 'Migration20261127160347_order_links_and_duplicates';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "shop_order_links" ("id" uuid not null, "developer_id" uuid not null, "order_id" uuid not null, "email_key" text not null, "token_hash" bytea not null, "expires_at" timestamptz(3) not null, primary key ("id", "developer_id"));`,
    );
    this.addSql(`create index "shop_order_links_order_index" on "shop_order_links" ("order_id", "developer_id");`);
    this.addSql(`create index "shop_order_links_expiry_index" on "shop_order_links" ("expires_at");`);
    this.addSql(
      `alter table "shop_order_links" add constraint "shop_order_links_token_unique" unique ("token_hash", "developer_id");`,
    );

    this.addSql(`alter table "shop_connections" add "on_duplicate" text not null default 'warn';`);

    this.addSql(
      `alter table "shop_orders" add "known_as" text[] not null default '{}', add "duplicate_of" uuid null, add "pickup_code" text null;`,
    );
    this.addSql(`create index shop_orders_known_index on shop_orders using gin (known_as) where known_as <> '{}';`);
    this.addSql(
      `create unique index shop_orders_pickup_unique on shop_orders (pickup_code, developer_id) where pickup_code is not null;`,
    );

    this.addSql(
      `alter table "shop_order_links" add constraint "shop_order_links_order_id_developer_id_foreign" foreign key ("order_id", "developer_id") references "shop_orders" ("id", "developer_id") on update no action on delete cascade;`,
    );
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261127160347_order_links_and_duplicates');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from rolling_migrations where name = 'Migration20261127160347_order_links_and_duplicates';`);

    this.addSql(`drop table if exists "shop_order_links" cascade;`);

    this.addSql(`alter table "shop_connections" drop column "on_duplicate";`);

    this.addSql(`drop index "shop_orders_known_index";`);
    this.addSql(`drop index "shop_orders_pickup_unique";`);
    this.addSql(
      `alter table "shop_orders" drop column "known_as", drop column "duplicate_of", drop column "pickup_code";`,
    );
  }
}
