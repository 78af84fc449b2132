import { Migration } from '@mikro-orm/migrations';

export class Migration20261128123751_shop_notes extends Migration {
  override name = 'Migration20261128123751_shop_notes';

  override up(): void | Promise<void> {
    this.addSql(`alter table "shop_orders" add "noting_until" timestamptz(3) null;`);
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261128123751_shop_notes');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from rolling_migrations where name = 'Migration20261128123751_shop_notes';`);

    this.addSql(`alter table "shop_orders" drop column "noting_until";`);
  }
}
