import { Migration } from '@mikro-orm/migrations';

export class Migration20261128161349_shop_silence extends Migration {
  override name = 'Migration20261128161349_shop_silence';

  override up(): void | Promise<void> {
    this.addSql(`alter table "shop_connections" add "silent_at" timestamptz(3) null;`);
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261128161349_shop_silence');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from rolling_migrations where name = 'Migration20261128161349_shop_silence';`);

    this.addSql(`alter table "shop_connections" drop column "silent_at";`);
  }
}
