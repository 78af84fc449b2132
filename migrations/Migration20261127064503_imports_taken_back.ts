import { Migration } from '@mikro-orm/migrations';

export class Migration20261127064503_imports_taken_back extends Migration {
  override name = 'Migration20261127064503_imports_taken_back';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "import_plans" ("developer_id" uuid not null, "import_id" uuid not null, "format" varchar(255) not null, "size" bigint not null, "plan" jsonb not null, "checked" jsonb null, "revision" int not null default 1, "changed_at" timestamptz(3) not null, primary key ("developer_id", "import_id"));`,
    );
    this.addSql(`create index "import_plans_changed_at_index" on "import_plans" ("changed_at");`);

    this.addSql(`alter table "imports" add "unused_columns" jsonb null, add "undone_at" timestamptz(3) null;`);

    this.addSql(`alter table "customers" add "import_id" uuid null;`);

    this.addSql(`alter table "batches" add "import_id" uuid null;`);

    this.addSql(`drop trigger if exists "redemptions_append_only" on "redemptions";`);
    this.addSql(`drop function if exists "redemptions_redemptions_append_only_fn"();`);
    this.addSql(`alter table "redemptions" add "import_id" uuid null;`);
    this.addSql(
      `create or replace function "redemptions_redemptions_append_only_fn"() returns trigger as $$ begin if tg_op = 'DELETE' and old.source = 'import' and old.import_id::text = current_setting('tonerow.undone_import', true) then return old; end if; raise exception 'the ledger is append-only'; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "redemptions_append_only" BEFORE UPDATE OR DELETE on "redemptions" for each ROW execute function "redemptions_redemptions_append_only_fn"();`,
    );
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261127064503_imports_taken_back');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from rolling_migrations where name = 'Migration20261127064503_imports_taken_back';`);
    this.addSql(`drop table if exists "import_plans" cascade;`);

    this.addSql(`alter table "batches" drop column "import_id";`);

    this.addSql(`alter table "customers" drop column "import_id";`);

    this.addSql(`alter table "imports" drop column "unused_columns", drop column "undone_at";`);

    this.addSql(`drop trigger if exists "redemptions_append_only" on "redemptions";`);
    this.addSql(`drop function if exists "redemptions_redemptions_append_only_fn"();`);
    this.addSql(`alter table "redemptions" drop column "import_id";`);
    this.addSql(
      `create or replace function "redemptions_redemptions_append_only_fn"() returns trigger as $$ begin raise exception 'the ledger is append-only'; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "redemptions_append_only" BEFORE UPDATE OR DELETE on "redemptions" for each ROW execute function "redemptions_redemptions_append_only_fn"();`,
    );
  }
}
