import { Migration } from '@mikro-orm/migrations';

export class Migration20261126141609_restores extends Migration {
  override name = 'Migration20261126141609_restores';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "restores" ("id" uuid not null, "restored_at" timestamptz(3) not null, "backup_at" timestamptz(3) not null, "series" text not null, "collection_released_at" timestamptz(3) null, primary key ("id"));`,
    );
    // the release before does not know the table, and needs nothing of it
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261126141609_restores');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "restores" cascade;`);
  }
}
