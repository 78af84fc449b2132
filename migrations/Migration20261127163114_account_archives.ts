import { Migration } from '@mikro-orm/migrations';

export class Migration20261127163114_account_archives extends Migration {
  override name = 'Migration20261127163114_account_archives';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "account_archives" ("developer_id" uuid not null, "id" uuid not null, "state" varchar(255) not null, "attempt" int not null default 0, "file_key" bytea null, "head" text not null, "tables_total" int not null default 0, "tables_done" int not null default 0, "files_total" int not null default 0, "files_done" int not null default 0, "rows" bigint not null default '0', "size" bigint null, "sha256" bytea null, "error" text null, "created_at" timestamptz(3) not null, "seen_at" timestamptz(3) not null, "finished_at" timestamptz(3) null, primary key ("developer_id", "id"));`,
    );
    this.addSql(`create index "account_archives_created_at_index" on "account_archives" ("created_at");`);
    this.addSql(
      `create unique index account_archives_one_at_once on account_archives (developer_id) where state in ('waiting', 'running');`,
    );

    this.addSql(
      `alter table "account_archives" add constraint "account_archives_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(
      `alter table "account_archives" add constraint "account_archives_state_check" check (state in ('waiting', 'running', 'complete', 'failed'));`,
    );
    this.addSql(
      `alter table "account_archives" add constraint "account_archives_complete_check" check ((state = 'complete') = (size is not null and sha256 is not null));`,
    );
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261127163114_account_archives');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from rolling_migrations where name = 'Migration20261127163114_account_archives';`);
    this.addSql(`drop table if exists "account_archives" cascade;`);
  }
}
