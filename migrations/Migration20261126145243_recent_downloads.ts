import { Migration } from '@mikro-orm/migrations';

export class Migration20261126145243_recent_downloads extends Migration {
  override name = 'Migration20261126145243_recent_downloads';

  override up(): void | Promise<void> {
    this.addSql(`alter table "serials" add "recent_downloads" jsonb null;`);
    // the release before counts as it did, and what it counts is not remembered here
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261126145243_recent_downloads');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "serials" drop column "recent_downloads";`);
  }
}
