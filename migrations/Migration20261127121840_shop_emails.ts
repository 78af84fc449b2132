import { Migration } from '@mikro-orm/migrations';

export class Migration20261127121840_shop_emails extends Migration {
  override name = 'Migration20261127121840_shop_emails';

  override up(): void | Promise<void> {
    this.addSql(`alter table "users" add "notify_shops" boolean not null default true;`);
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261127121840_shop_emails');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from rolling_migrations where name = 'Migration20261127121840_shop_emails';`);

    this.addSql(`alter table "users" drop column "notify_shops";`);
  }
}
