import { Migration } from '@mikro-orm/migrations';

export class Migration20261128121859_shop_sales_found extends Migration {
  override name = 'Migration20261128121859_shop_sales_found';

  override up(): void | Promise<void> {
    this.addSql(`alter table "shop_orders" add "found_at" timestamptz(3) null;`);
    this.addSql(
      `create index shop_orders_found_index on shop_orders (connection_id, found_at) where found_at is not null;`,
    );

    this.addSql(`alter table "shop_reversals" add "found_at" timestamptz(3) null;`);
    this.addSql(
      `create index shop_reversals_found_index on shop_reversals (developer_id, found_at) where found_at is not null;`,
    );
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261128121859_shop_sales_found');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from rolling_migrations where name = 'Migration20261128121859_shop_sales_found';`);

    this.addSql(`drop index "shop_orders_found_index";`);
    this.addSql(`alter table "shop_orders" drop column "found_at";`);

    this.addSql(`drop index "shop_reversals_found_index";`);
    this.addSql(`alter table "shop_reversals" drop column "found_at";`);
  }
}
