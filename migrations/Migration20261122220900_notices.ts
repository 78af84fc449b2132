import { Migration } from '@mikro-orm/migrations';

export class Migration20261122220900_notices extends Migration {
  override name = 'Migration20261122220900_notices';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "notices" ("account_id" uuid not null, "id" uuid not null, "at" timestamptz(3) not null, "kind" text not null, "title" text not null, "detail" text not null, "object_id" uuid null, primary key ("account_id", "id"));`,
    );
    this.addSql(`create index "notices_at_index" on "notices" ("at");`);

    this.addSql(
      `create table "notice_marks" ("account_id" uuid not null, "read_until" uuid not null, primary key ("account_id"));`,
    );

    this.addSql(`insert into rolling_migrations (name) values ('Migration20261122220900_notices');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "notices" cascade;`);
    this.addSql(`drop table if exists "notice_marks" cascade;`);
  }
}
