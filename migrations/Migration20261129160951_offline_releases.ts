import { Migration } from '@mikro-orm/migrations';

export class Migration20261129160951_offline_releases extends Migration {
  override name = 'Migration20261129160951_offline_releases';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "offline_releases" ("developer_id" uuid not null, "id" uuid not null, "serial_id" uuid not null, "release_hash" bytea not null, "released_at" timestamptz(3) not null, primary key ("developer_id", "id"));`,
    );
    this.addSql(`create index "offline_releases_hash_index" on "offline_releases" ("developer_id", "release_hash");`);
    this.addSql(
      `alter table "offline_releases" add constraint "offline_releases_hash_unique" unique ("serial_id", "developer_id", "release_hash");`,
    );

    this.addSql(`alter table "activations" add "release_hash" bytea null, add "other_file_until" timestamptz(3) null;`);

    this.addSql(
      `alter table "offline_releases" add constraint "offline_releases_serial_id_developer_id_foreign" foreign key ("serial_id", "developer_id") references "serials" ("id", "developer_id") on update no action on delete cascade;`,
    );

    this.addSql(`insert into rolling_migrations (name) values ('Migration20261129160951_offline_releases');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from rolling_migrations where name = 'Migration20261129160951_offline_releases';`);

    this.addSql(`drop table if exists "offline_releases" cascade;`);

    this.addSql(`alter table "activations" drop column "release_hash", drop column "other_file_until";`);
  }
}
