import { Migration } from '@mikro-orm/migrations';

export class Migration20261121074159_developer_side extends Migration {
  override name = 'Migration20261121074159_developer_side';

  override up(): void | Promise<void> {
    // trusted: the owner of the database may make it
    this.addSql('create extension if not exists pg_trgm;');

    this.addSql(
      `create table "files" ("id" uuid not null, "developer_id" uuid not null, "name" text not null, "size" bigint not null, "received" bigint not null default '0', "upload_id" text not null, "parts" jsonb not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "completed_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "files_developer_index" on "files" ("developer_id", "id");`);

    this.addSql(
      `create table "refresh_charges" ("id" uuid not null, "developer_id" uuid not null, "serial_id" uuid not null, "refreshed_at" timestamptz(3) not null, "plan" text not null, "cost_cents" int not null, primary key ("id"));`,
    );
    this.addSql(
      `create index "refresh_charges_developer_time_index" on "refresh_charges" ("developer_id", "refreshed_at");`,
    );

    this.addSql(
      `create table "recovery_codes" ("id" uuid not null, "user_id" uuid not null, "code_hash" bytea not null, "used_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "recovery_codes" add constraint "recovery_codes_user_code_unique" unique ("user_id", "code_hash");`,
    );

    this.addSql(
      `create table "ledger_days" ("developer_id" uuid not null, "day" date not null, "product_id" uuid not null, "partnership_id" uuid not null, "redemptions" int not null, "revenue_cents" bigint not null, "commission_cents" bigint not null, primary key ("developer_id", "day", "product_id", "partnership_id"));`,
    );

    this.addSql(
      `create table "ledger_countries" ("developer_id" uuid not null, "day" date not null, "country" text not null, "redemptions" int not null, primary key ("developer_id", "day", "country"));`,
    );

    this.addSql(
      `create table "imports" ("id" uuid not null, "developer_id" uuid not null, "kind" varchar(255) not null, "file_name" text not null, "dry_run" boolean not null, "state" varchar(255) not null, "lines" int not null default 0, "added" int not null default 0, "known" int not null default 0, "rejected" int not null default 0, "error" text null, "started_at" timestamptz(3) not null, "seen_at" timestamptz(3) not null, "finished_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "imports_developer_index" on "imports" ("developer_id", "id");`);

    this.addSql(
      `create table "serial_events" ("id" bigserial primary key, "serial_id" uuid not null, "kind" varchar(255) not null, "happened_at" timestamptz(3) not null, "detail" text null);`,
    );
    this.addSql(`create index "serial_events_serial_index" on "serial_events" ("serial_id", "id");`);

    this.addSql(
      `alter table "users" add "notify_redemptions" boolean not null default true, add "notify_low_serials" boolean not null default true, add "notify_webhook_fail" boolean not null default true, add "notify_announcements" boolean not null default true, add "notify_inquiries" boolean not null default true, add "notify_deals" boolean not null default true, add "low_serials_threshold" int not null default 10, add "two_factor_secret" bytea null, add "two_factor_since" timestamptz(3) null, add "two_factor_step" bigint null;`,
    );
    this.addSql(`alter table "users" add constraint "users_low_serials_check" check (low_serials_threshold >= 0);`);

    this.addSql(`alter table "products" add "low_serials_since" timestamptz(3) null;`);

    this.addSql(`alter table "customers" add "erased_at" timestamptz(3) null;`);
    this.addSql(
      `create index "customers_developer_created_index" on "customers" ("developer_id", "created_at", "id");`,
    );
    this.addSql(
      `create index customers_search_index on customers using gin ((email_key || ' ' || lower(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))) gin_trgm_ops);`,
    );

    this.addSql(`create index "serials_redeemed_index" on "serials" ("batch_id") where redeemed_at is not null;`);
    this.addSql(`create index "serials_revoked_index" on "serials" ("batch_id") where revoked_at is not null;`);

    this.addSql(`drop index "redemptions_product_id_index";`);
    this.addSql(`create index "redemptions_product_time_index" on "redemptions" ("product_id", "redeemed_at", "id");`);

    this.addSql(
      `alter table "files" add constraint "files_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(
      `alter table "files" add constraint "files_size_check" check (size > 0 and received >= 0 and received <= size);`,
    );
    this.addSql(
      `alter table "files" add constraint "files_complete_check" check (completed_at is null or received = size);`,
    );

    this.addSql(
      `alter table "refresh_charges" add constraint "refresh_charges_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(`alter table "refresh_charges" add constraint "refresh_charges_cost_check" check (cost_cents >= 0);`);
    this.addSql(
      `create or replace function "refresh_charges_refresh_charges_append_only_fn"() returns trigger as $$ begin raise exception 'the ledger is append-only'; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "refresh_charges_append_only" BEFORE UPDATE OR DELETE on "refresh_charges" for each STATEMENT execute function "refresh_charges_refresh_charges_append_only_fn"();`,
    );

    this.addSql(
      `alter table "recovery_codes" add constraint "recovery_codes_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "ledger_days" add constraint "ledger_days_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );

    this.addSql(
      `alter table "ledger_countries" add constraint "ledger_countries_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );

    this.addSql(
      `alter table "imports" add constraint "imports_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );

    this.addSql(
      `alter table "serial_events" add constraint "serial_events_serial_id_foreign" foreign key ("serial_id") references "serials" ("id") on delete cascade;`,
    );

    this.addSql(`insert into ledger_days (developer_id, day, product_id, partnership_id, redemptions, revenue_cents, commission_cents)
      select r.developer_id, (r.redeemed_at at time zone u.time_zone)::date, r.product_id,
        coalesce(r.partnership_id, '00000000-0000-0000-0000-000000000000'), count(*), sum(r.final_price_cents), sum(r.commission_cents)
      from redemptions r join users u on u.id = r.developer_id group by 1, 2, 3, 4;`);
    this.addSql(`insert into ledger_countries (developer_id, day, country, redemptions)
      select r.developer_id, (r.redeemed_at at time zone u.time_zone)::date, coalesce(r.country, ''), count(*)
      from redemptions r join users u on u.id = r.developer_id group by 1, 2, 3;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "files" cascade;`);
    this.addSql(`drop trigger if exists "refresh_charges_append_only" on "refresh_charges";`);
    this.addSql(`drop function if exists "refresh_charges_refresh_charges_append_only_fn"();`);
    this.addSql(`drop table if exists "refresh_charges" cascade;`);
    this.addSql(`drop table if exists "recovery_codes" cascade;`);
    this.addSql(`drop table if exists "ledger_days" cascade;`);
    this.addSql(`drop table if exists "ledger_countries" cascade;`);
    this.addSql(`drop table if exists "imports" cascade;`);
    this.addSql(`drop table if exists "serial_events" cascade;`);

    this.addSql(`drop index "customers_developer_created_index";`);
    this.addSql(`drop index "customers_search_index";`);
    this.addSql(`alter table "customers" drop column "erased_at";`);

    this.addSql(`alter table "products" drop column "low_serials_since";`);

    this.addSql(`drop index "redemptions_product_time_index";`);
    this.addSql(`create index "redemptions_product_id_index" on "redemptions" ("product_id");`);

    this.addSql(`drop index "serials_redeemed_index";`);
    this.addSql(`drop index "serials_revoked_index";`);

    this.addSql(`alter table "users" drop constraint "users_low_serials_check";`);
    this.addSql(
      `alter table "users" drop column "notify_redemptions", drop column "notify_low_serials", drop column "notify_webhook_fail", drop column "notify_announcements", drop column "notify_inquiries", drop column "notify_deals", drop column "low_serials_threshold", drop column "two_factor_secret", drop column "two_factor_since", drop column "two_factor_step";`,
    );
  }
}
