import { Migration } from '@mikro-orm/migrations';

export class Migration20261121065504_foundation extends Migration {
  override name = 'Migration20261121065504_foundation';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "idempotency_records" ("id" uuid not null, "scope" bytea not null, "fingerprint" bytea not null, "created_at" timestamptz(3) not null, "locked_until" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "status" smallint null, "answer" bytea null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "idempotency_records" add constraint "idempotency_records_scope_unique" unique ("scope");`,
    );
    this.addSql(`create index "idempotency_records_expires_at_index" on "idempotency_records" ("expires_at");`);

    this.addSql(
      `create table "rate_limits" ("key" varchar(255) not null, "points" int not null default 0, "expire" bigint null, primary key ("key"));`,
    );
    this.addSql(`create index "rate_limits_expire_index" on "rate_limits" ("expire");`);

    this.addSql(
      `create table "users" ("id" uuid not null, "role" varchar(255) not null, "is_admin" boolean not null default false, "email" text not null, "email_key" text null, "password_hash" text null, "first_name" text not null, "last_name" text not null, "company_name" text null, "website_url" text null, "support_email" text null, "support_url" text null, "business_address" text null, "tax_id" text null, "brand_color" text not null default '#000000', "logo_url" text null, "time_zone" text not null default 'UTC', "plan" text not null default 'free', "created_at" timestamptz(3) not null, "deleted_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`alter table "users" add constraint "users_email_key_unique" unique ("email_key");`);

    this.addSql(
      `create table "usage_months" ("developer_id" uuid not null, "month" date not null, "redemptions" int not null default 0, primary key ("developer_id", "month"));`,
    );

    this.addSql(
      `create table "signing_keys" ("id" uuid not null, "developer_id" uuid not null, "public_key" bytea not null, "private_key" bytea not null, "created_at" timestamptz(3) not null, "retired_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "signing_keys_developer_index" on "signing_keys" ("developer_id", "id");`);
    this.addSql(
      `create unique index "signing_keys_current_unique" on "signing_keys" ("developer_id") where retired_at is null;`,
    );

    this.addSql(
      `create table "sessions" ("id" uuid not null, "user_id" uuid not null, "user_agent" text null, "ip" text null, "created_at" timestamptz(3) not null, "last_seen_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, primary key ("id"));`,
    );
    this.addSql(`create index "sessions_user_id_index" on "sessions" ("user_id");`);

    this.addSql(
      `create table "products" ("id" uuid not null, "developer_id" uuid not null, "name" text not null, "name_key" text not null, "short_desc" text not null default '', "long_desc" text not null default '', "feature_list" jsonb not null, "price_cents" int null, "sale_price_cents" int null, "image_url" text null, "file_urls" jsonb not null, "is_draft" boolean not null, "max_activations" int not null default 3, "offline_days" int not null default 30, "trial_days" int not null default 0, "version" int not null default 1, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "deleted_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "products_developer_id_index" on "products" ("developer_id", "id");`);
    this.addSql(
      `create unique index "products_developer_name_unique" on "products" ("developer_id", "name_key") where deleted_at is null;`,
    );

    this.addSql(
      `create table "plugin_keys" ("id" uuid not null, "developer_id" uuid not null, "label" text not null, "key_hash" bytea not null, "sealed" bytea not null, "hint" text not null, "is_active" boolean not null default true, "created_at" timestamptz(3) not null, "last_used_at" timestamptz(3) null, "expires_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "plugin_keys_developer_id_index" on "plugin_keys" ("developer_id");`);
    this.addSql(`alter table "plugin_keys" add constraint "plugin_keys_key_hash_unique" unique ("key_hash");`);

    this.addSql(
      `create table "plugin_key_reveals" ("id" uuid not null, "key_id" uuid null, "label" text not null, "user_id" uuid not null, "ip" text null, "revealed_at" timestamptz(3) not null, primary key ("id"));`,
    );
    this.addSql(`create index "plugin_key_reveals_key_id_index" on "plugin_key_reveals" ("key_id");`);

    this.addSql(
      `create table "password_resets" ("id" uuid not null, "user_id" uuid not null, "token_hash" bytea not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "used_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "password_resets_user_id_index" on "password_resets" ("user_id");`);
    this.addSql(
      `alter table "password_resets" add constraint "password_resets_token_hash_unique" unique ("token_hash");`,
    );

    this.addSql(
      `create table "partnerships" ("id" uuid not null, "developer_id" uuid not null, "reseller_id" uuid null, "name" text not null, "name_key" text not null, "commission_bps" int not null default 2000, "status" varchar(255) not null, "created_at" timestamptz(3) not null, "ended_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "partnerships_developer_id_index" on "partnerships" ("developer_id");`);
    this.addSql(`create index "partnerships_reseller_id_index" on "partnerships" ("reseller_id");`);
    this.addSql(
      `alter table "partnerships" add constraint "partnerships_developer_name_unique" unique ("developer_id", "name_key");`,
    );

    this.addSql(
      `create table "customers" ("id" uuid not null, "developer_id" uuid not null, "email" text not null, "email_key" text not null, "first_name" text null, "last_name" text null, "created_at" timestamptz(3) not null, "last_login_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "customers" add constraint "customers_developer_email_unique" unique ("developer_id", "email_key");`,
    );

    this.addSql(
      `create table "batches" ("id" uuid not null, "developer_id" uuid not null, "product_id" uuid not null, "partnership_id" uuid null, "origin" varchar(255) not null, "quantity" int not null, "prefix" text null, "promo_price_cents" int null, "promo_start" timestamptz(3) null, "promo_expires" timestamptz(3) null, "expires_at" timestamptz(3) null, "batch_tag" text null, "notes" text null, "created_at" timestamptz(3) not null, primary key ("id"));`,
    );
    this.addSql(`create index "batches_product_id_index" on "batches" ("product_id");`);
    this.addSql(`create index "batches_partnership_id_index" on "batches" ("partnership_id");`);
    this.addSql(`create index "batches_developer_id_index" on "batches" ("developer_id", "id");`);

    this.addSql(
      `create table "serials" ("id" uuid not null, "developer_id" uuid not null, "batch_id" uuid not null, "code" text not null, "code_key" text not null, "customer_id" uuid null, "redeemed_at" timestamptz(3) null, "revoked_at" timestamptz(3) null, "download_count" smallint not null default 0, "seats_used" int not null default 0, primary key ("id"));`,
    );
    this.addSql(
      `create index "serials_customer_index" on "serials" ("customer_id", "id") where customer_id is not null;`,
    );
    this.addSql(`create index "serials_batch_index" on "serials" ("batch_id", "id");`);
    this.addSql(
      `create index "serials_available_index" on "serials" ("batch_id", "id") where redeemed_at is null and revoked_at is null;`,
    );
    this.addSql(`alter table "serials" add constraint "serials_code_unique" unique ("code_key", "developer_id");`);

    this.addSql(
      `create table "redemptions" ("id" uuid not null, "developer_id" uuid not null, "serial_id" uuid not null, "product_id" uuid not null, "partnership_id" uuid null, "customer_id" uuid not null, "redeemed_at" timestamptz(3) not null, "source" varchar(255) not null, "final_price_cents" int not null, "commission_bps" int not null default 0, "commission_cents" int not null default 0, "country" text null, primary key ("id"));`,
    );
    this.addSql(`alter table "redemptions" add constraint "redemptions_serial_id_unique" unique ("serial_id");`);
    this.addSql(`create index "redemptions_product_id_index" on "redemptions" ("product_id");`);
    this.addSql(`create index "redemptions_partnership_id_index" on "redemptions" ("partnership_id");`);
    this.addSql(`create index "redemptions_customer_id_index" on "redemptions" ("customer_id");`);
    this.addSql(
      `create index "redemptions_developer_time_index" on "redemptions" ("developer_id", "redeemed_at", "id");`,
    );

    this.addSql(
      `create table "redeem_tickets" ("id" uuid not null, "token_hash" bytea not null, "serial_id" uuid not null, "email" text not null, "proven_serial_ids" uuid[] not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "used_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "redeem_tickets" add constraint "redeem_tickets_token_hash_unique" unique ("token_hash");`,
    );
    this.addSql(`create index "redeem_tickets_serial_id_index" on "redeem_tickets" ("serial_id");`);
    this.addSql(`create index "redeem_tickets_expires_at_index" on "redeem_tickets" ("expires_at");`);

    this.addSql(
      `create table "activations" ("id" uuid not null, "developer_id" uuid not null, "serial_id" uuid not null, "machine_id" text not null, "version" text null, "created_at" timestamptz(3) not null, "last_seen_at" timestamptz(3) not null, "released_at" timestamptz(3) null, "token_hash" bytea null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "activations" add constraint "activations_machine_unique" unique ("serial_id", "machine_id");`,
    );

    this.addSql(
      `create table "access_tokens" ("id" uuid not null, "user_id" uuid not null, "name" text not null, "scopes" text[] not null, "token_hash" bytea not null, "hint" text not null, "created_at" timestamptz(3) not null, "last_used_at" timestamptz(3) null, "expires_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "access_tokens_user_id_index" on "access_tokens" ("user_id");`);
    this.addSql(`alter table "access_tokens" add constraint "access_tokens_token_hash_unique" unique ("token_hash");`);

    this.addSql(`alter table "users" add constraint "users_role_check" check (role in ('developer', 'reseller'));`);

    this.addSql(
      `alter table "usage_months" add constraint "usage_months_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(`alter table "usage_months" add constraint "usage_months_redemptions_check" check (redemptions >= 0);`);

    this.addSql(
      `alter table "signing_keys" add constraint "signing_keys_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );

    this.addSql(
      `alter table "sessions" add constraint "sessions_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "products" add constraint "products_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(
      `alter table "products" add constraint "products_price_check" check (price_cents >= 0 and sale_price_cents >= 0 and (price_cents is null or sale_price_cents <= price_cents));`,
    );
    this.addSql(
      `alter table "products" add constraint "products_limits_check" check (max_activations >= 1 and offline_days >= 1 and trial_days >= 0);`,
    );

    this.addSql(
      `alter table "plugin_keys" add constraint "plugin_keys_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );

    this.addSql(
      `alter table "plugin_key_reveals" add constraint "plugin_key_reveals_key_id_foreign" foreign key ("key_id") references "plugin_keys" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "plugin_key_reveals" add constraint "plugin_key_reveals_user_id_foreign" foreign key ("user_id") references "users" ("id");`,
    );

    this.addSql(
      `alter table "password_resets" add constraint "password_resets_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "partnerships" add constraint "partnerships_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(
      `alter table "partnerships" add constraint "partnerships_reseller_id_foreign" foreign key ("reseller_id") references "users" ("id") on delete no action;`,
    );
    this.addSql(
      `alter table "partnerships" add constraint "partnerships_commission_check" check (commission_bps >= 0 and commission_bps <= 10000);`,
    );
    this.addSql(
      `alter table "partnerships" add constraint "partnerships_status_check" check (status in ('named', 'active', 'ended'));`,
    );

    this.addSql(
      `alter table "customers" add constraint "customers_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );

    this.addSql(
      `alter table "batches" add constraint "batches_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(
      `alter table "batches" add constraint "batches_product_id_foreign" foreign key ("product_id") references "products" ("id");`,
    );
    this.addSql(
      `alter table "batches" add constraint "batches_partnership_id_foreign" foreign key ("partnership_id") references "partnerships" ("id") on delete no action;`,
    );
    this.addSql(`alter table "batches" add constraint "batches_promo_check" check (promo_price_cents >= 0);`);
    this.addSql(`alter table "batches" add constraint "batches_quantity_check" check (quantity > 0);`);

    this.addSql(
      `alter table "serials" add constraint "serials_batch_id_foreign" foreign key ("batch_id") references "batches" ("id");`,
    );
    this.addSql(
      `alter table "serials" add constraint "serials_customer_id_foreign" foreign key ("customer_id") references "customers" ("id") on delete no action;`,
    );
    this.addSql(
      `alter table "serials" add constraint "serials_download_count_check" check (download_count >= 0 and download_count <= 5);`,
    );
    this.addSql(`alter table "serials" add constraint "serials_seats_used_check" check (seats_used >= 0);`);
    this.addSql(
      `alter table "serials" add constraint "serials_owner_check" check ((customer_id is null) = (redeemed_at is null));`,
    );

    this.addSql(
      `alter table "redemptions" add constraint "redemptions_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(
      `alter table "redemptions" add constraint "redemptions_serial_id_foreign" foreign key ("serial_id") references "serials" ("id") on delete restrict;`,
    );
    this.addSql(
      `alter table "redemptions" add constraint "redemptions_product_id_foreign" foreign key ("product_id") references "products" ("id");`,
    );
    this.addSql(
      `alter table "redemptions" add constraint "redemptions_partnership_id_foreign" foreign key ("partnership_id") references "partnerships" ("id") on delete no action;`,
    );
    this.addSql(
      `alter table "redemptions" add constraint "redemptions_customer_id_foreign" foreign key ("customer_id") references "customers" ("id");`,
    );
    this.addSql(
      `alter table "redemptions" add constraint "redemptions_source_check" check (source in ('redeem', 'activation', 'import'));`,
    );
    this.addSql(
      `alter table "redemptions" add constraint "redemptions_money_check" check (final_price_cents >= 0 and commission_cents >= 0);`,
    );
    this.addSql(
      `create or replace function "redemptions_redemptions_append_only_fn"() returns trigger as $$ begin raise exception 'the ledger is append-only'; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "redemptions_append_only" BEFORE UPDATE OR DELETE on "redemptions" for each STATEMENT execute function "redemptions_redemptions_append_only_fn"();`,
    );

    this.addSql(
      `alter table "redeem_tickets" add constraint "redeem_tickets_serial_id_foreign" foreign key ("serial_id") references "serials" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "activations" add constraint "activations_serial_id_foreign" foreign key ("serial_id") references "serials" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "access_tokens" add constraint "access_tokens_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "usage_months" drop constraint "usage_months_developer_id_foreign";`);
    this.addSql(`alter table "signing_keys" drop constraint "signing_keys_developer_id_foreign";`);
    this.addSql(`alter table "sessions" drop constraint "sessions_user_id_foreign";`);
    this.addSql(`alter table "products" drop constraint "products_developer_id_foreign";`);
    this.addSql(`alter table "plugin_keys" drop constraint "plugin_keys_developer_id_foreign";`);
    this.addSql(`alter table "plugin_key_reveals" drop constraint "plugin_key_reveals_user_id_foreign";`);
    this.addSql(`alter table "password_resets" drop constraint "password_resets_user_id_foreign";`);
    this.addSql(`alter table "partnerships" drop constraint "partnerships_developer_id_foreign";`);
    this.addSql(`alter table "partnerships" drop constraint "partnerships_reseller_id_foreign";`);
    this.addSql(`alter table "customers" drop constraint "customers_developer_id_foreign";`);
    this.addSql(`alter table "batches" drop constraint "batches_developer_id_foreign";`);
    this.addSql(`alter table "redemptions" drop constraint "redemptions_developer_id_foreign";`);
    this.addSql(`alter table "access_tokens" drop constraint "access_tokens_user_id_foreign";`);
    this.addSql(`alter table "batches" drop constraint "batches_product_id_foreign";`);
    this.addSql(`alter table "redemptions" drop constraint "redemptions_product_id_foreign";`);
    this.addSql(`alter table "plugin_key_reveals" drop constraint "plugin_key_reveals_key_id_foreign";`);
    this.addSql(`alter table "batches" drop constraint "batches_partnership_id_foreign";`);
    this.addSql(`alter table "redemptions" drop constraint "redemptions_partnership_id_foreign";`);
    this.addSql(`alter table "serials" drop constraint "serials_customer_id_foreign";`);
    this.addSql(`alter table "redemptions" drop constraint "redemptions_customer_id_foreign";`);
    this.addSql(`alter table "serials" drop constraint "serials_batch_id_foreign";`);
    this.addSql(`alter table "redemptions" drop constraint "redemptions_serial_id_foreign";`);
    this.addSql(`alter table "redeem_tickets" drop constraint "redeem_tickets_serial_id_foreign";`);
    this.addSql(`alter table "activations" drop constraint "activations_serial_id_foreign";`);

    this.addSql(`drop table if exists "idempotency_records" cascade;`);
    this.addSql(`drop table if exists "rate_limits" cascade;`);
    this.addSql(`drop table if exists "users" cascade;`);
    this.addSql(`drop table if exists "usage_months" cascade;`);
    this.addSql(`drop table if exists "signing_keys" cascade;`);
    this.addSql(`drop table if exists "sessions" cascade;`);
    this.addSql(`drop table if exists "products" cascade;`);
    this.addSql(`drop table if exists "plugin_keys" cascade;`);
    this.addSql(`drop table if exists "plugin_key_reveals" cascade;`);
    this.addSql(`drop table if exists "password_resets" cascade;`);
    this.addSql(`drop table if exists "partnerships" cascade;`);
    this.addSql(`drop table if exists "customers" cascade;`);
    this.addSql(`drop table if exists "batches" cascade;`);
    this.addSql(`drop table if exists "serials" cascade;`);
    this.addSql(`drop trigger if exists "redemptions_append_only" on "redemptions";`);
    this.addSql(`drop function if exists "redemptions_redemptions_append_only_fn"();`);
    this.addSql(`drop table if exists "redemptions" cascade;`);
    this.addSql(`drop table if exists "redeem_tickets" cascade;`);
    this.addSql(`drop table if exists "activations" cascade;`);
    this.addSql(`drop table if exists "access_tokens" cascade;`);
  }
}
