import { Migration } from '@mikro-orm/migrations';

export class Migration20261122032841_foundation extends Migration {
  override name = 'Migration20261122032841_foundation';

  override up(): void | Promise<void> {
    // trusted: the owner of the database may create it
    this.addSql('create extension if not exists pg_trgm;');
    this.addSql(
      `create table "announcements" ("id" uuid not null, "subject" text not null, "body" text not null, "audience" varchar(255) not null, "recipients" int not null, "created_at" timestamptz(3) not null, primary key ("id"));`,
    );

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

    this.addSql(`create table "rolling_migrations" ("name" text not null, primary key ("name"));`);

    this.addSql(
      `create table "secret_probes" ("fingerprint" text not null, "sealed" bytea not null, "created_at" timestamptz(3) not null, primary key ("fingerprint"));`,
    );

    this.addSql(
      `create table "users" ("id" uuid not null, "role" varchar(255) not null, "is_admin" boolean not null default false, "email" text not null, "email_key" text null, "email_verified_at" timestamptz(3) null, "password_hash" text null, "first_name" text not null, "last_name" text not null, "company_name" text null, "website_url" text null, "support_email" text null, "support_url" text null, "business_address" text null, "tax_id" text null, "brand_color" text not null default '#000000', "logo_url" text null, "dark_mode" boolean not null default false, "send_customer_emails" boolean not null default true, "time_zone" text not null default 'UTC', "plan" text not null default 'free', "notify_redemptions" boolean not null default true, "redemption_mails" varchar(255) not null default 'daily', "digested_until" timestamptz(3) null, "notify_low_serials" boolean not null default true, "notify_webhook_fail" boolean not null default true, "notify_announcements" boolean not null default true, "notify_inquiries" boolean not null default true, "notify_deals" boolean not null default true, "low_serials_threshold" int not null default 10, "two_factor_secret" bytea null, "two_factor_since" timestamptz(3) null, "two_factor_step" bigint null, "created_at" timestamptz(3) not null, "deleted_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`alter table "users" add constraint "users_email_key_unique" unique ("email_key");`);

    this.addSql(
      `create table "usage_months" ("developer_id" uuid not null, "month" date not null, "redemptions" int not null default 0, primary key ("developer_id", "month"));`,
    );

    this.addSql(
      `create table "files" ("developer_id" uuid not null, "id" uuid not null, "name" text not null, "size" bigint not null, "received" bigint not null default '0', "upload_id" text not null, "parts" jsonb not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "completed_at" timestamptz(3) null, primary key ("developer_id", "id"));`,
    );

    this.addSql(
      `create table "signing_keys" ("developer_id" uuid not null, "id" uuid not null, "public_key" bytea not null, "private_key" bytea not null, "created_at" timestamptz(3) not null, "retired_at" timestamptz(3) null, primary key ("developer_id", "id"));`,
    );
    this.addSql(
      `create unique index "signing_keys_current_unique" on "signing_keys" ("developer_id") where retired_at is null;`,
    );

    this.addSql(
      `create table "sessions" ("id" uuid not null, "user_id" uuid not null, "user_agent" text null, "ip" text null, "created_at" timestamptz(3) not null, "last_seen_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, primary key ("id"));`,
    );
    this.addSql(`create index "sessions_user_id_index" on "sessions" ("user_id");`);

    this.addSql(
      `create table "mails" ("id" uuid not null, "kind" varchar(255) not null, "developer_id" uuid null, "recipient" text not null, "subject" text not null, "attempts" int not null default 0, "error" text null, "created_at" timestamptz(3) not null, "sent_at" timestamptz(3) null, "failed_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "mails_created_index" on "mails" ("created_at", "id");`);
    this.addSql(`create index "mails_developer_index" on "mails" ("developer_id", "id");`);

    this.addSql(
      `create table "refresh_charges" ("developer_id" uuid not null, "id" uuid not null, "serial_id" uuid not null, "refreshed_at" timestamptz(3) not null, "plan" text not null, "cost_cents" int not null, primary key ("developer_id", "id"));`,
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
      `create table "products" ("id" uuid not null, "developer_id" uuid not null, "name" text not null, "name_key" text not null, "juce_product_id" text null, "juce_product_key" text null, "short_desc" text not null default '', "long_desc" text not null default '', "feature_list" jsonb not null, "price_cents" int null, "sale_price_cents" int null, "image_url" text null, "file_urls" jsonb not null, "is_draft" boolean not null, "max_activations" int not null default 3, "offline_days" int not null default 30, "lease_days" int not null default 90, "trial_days" int not null default 0, "version" int not null default 1, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "deleted_at" timestamptz(3) null, "low_serials_since" timestamptz(3) null, primary key ("id", "developer_id"));`,
    );
    this.addSql(
      `create index "products_list_index" on "products" ("developer_id", "id") where created_at > '-infinity';`,
    );
    this.addSql(
      `create unique index products_developer_juce_unique on products (coalesce(juce_product_key, name_key), developer_id) where deleted_at is null;`,
    );
    this.addSql(
      `create unique index "products_developer_name_unique" on "products" ("name_key", "developer_id") where deleted_at is null;`,
    );

    this.addSql(
      `create table "trials" ("developer_id" uuid not null, "id" uuid not null, "product_id" uuid not null, "machine_hash" bytea not null, "started_at" timestamptz(3) not null, "ends_at" timestamptz(3) not null, primary key ("developer_id", "id"));`,
    );
    this.addSql(
      `alter table "trials" add constraint "trials_product_machine_unique" unique ("product_id", "developer_id", "machine_hash");`,
    );

    this.addSql(
      `create table "product_keys" ("developer_id" uuid not null, "id" uuid not null, "product_id" uuid not null, "modulus" text not null, "exponent" text not null, "private_key" bytea not null, "created_at" timestamptz(3) not null, primary key ("developer_id", "id"));`,
    );
    this.addSql(
      `alter table "product_keys" add constraint "product_keys_product_id_developer_id_unique" unique ("product_id", "developer_id");`,
    );

    this.addSql(
      `create table "plugin_keys" ("id" uuid not null, "developer_id" uuid not null, "label" text not null, "key_hash" bytea not null, "sealed" bytea not null, "hint" text not null, "is_active" boolean not null default true, "is_test" boolean not null default false, "created_at" timestamptz(3) not null, "last_used_at" timestamptz(3) null, "expires_at" timestamptz(3) null, "successor_id" uuid null, primary key ("id"));`,
    );
    this.addSql(`create index "plugin_keys_developer_id_index" on "plugin_keys" ("developer_id");`);
    this.addSql(`alter table "plugin_keys" add constraint "plugin_keys_key_hash_unique" unique ("key_hash");`);

    this.addSql(
      `create table "plugin_key_reveals" ("developer_id" uuid not null, "id" uuid not null, "key_id" uuid null, "label" text not null, "ip" text null, "revealed_at" timestamptz(3) not null, primary key ("developer_id", "id"));`,
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
      `create table "partnerships" ("id" uuid not null, "developer_id" uuid not null, "reseller_id" uuid null, "name" text not null, "name_key" text not null, "commission_bps" int not null default 2000, "status" varchar(255) not null, "created_at" timestamptz(3) not null, "ended_at" timestamptz(3) null, primary key ("id", "developer_id"));`,
    );
    this.addSql(`create index "partnerships_reseller_id_index" on "partnerships" ("reseller_id");`);
    this.addSql(
      `create index "partnerships_list_index" on "partnerships" ("developer_id", "id") where created_at > '-infinity';`,
    );
    this.addSql(
      `alter table "partnerships" add constraint "partnerships_developer_name_unique" unique ("name_key", "developer_id");`,
    );

    this.addSql(
      `create table "license_refusals" ("developer_id" uuid not null, "id" uuid not null, "at" timestamptz(3) not null, "action" text not null, "status" text not null, "serial_id" uuid null, "product_id" uuid null, "machine" text null, "version" text null, "count" int not null default 1, primary key ("developer_id", "id"));`,
    );
    this.addSql(`create index "license_refusals_at_index" on "license_refusals" ("at");`);

    this.addSql(
      `create table "ledger_days" ("developer_id" uuid not null, "day" date not null, "product_id" uuid not null, "partnership_id" uuid not null, "redemptions" int not null, "revenue_cents" bigint not null, "commission_cents" bigint not null, primary key ("developer_id", "day", "product_id", "partnership_id"));`,
    );

    this.addSql(
      `create table "ledger_countries" ("developer_id" uuid not null, "day" date not null, "country" text not null, "redemptions" int not null, primary key ("developer_id", "day", "country"));`,
    );

    this.addSql(
      `create table "known_places" ("user_id" uuid not null, "hash" bytea not null, "kind" varchar(255) not null, "last_seen_at" timestamptz(3) not null, primary key ("user_id", "hash"));`,
    );

    this.addSql(
      `create table "imports" ("developer_id" uuid not null, "id" uuid not null, "kind" varchar(255) not null, "file_name" text not null, "dry_run" boolean not null, "state" varchar(255) not null, "lines" int not null default 0, "added" int not null default 0, "known" int not null default 0, "rejected" int not null default 0, "error" text null, "started_at" timestamptz(3) not null, "seen_at" timestamptz(3) not null, "finished_at" timestamptz(3) null, primary key ("developer_id", "id"));`,
    );

    this.addSql(
      `create table "email_verifications" ("id" uuid not null, "user_id" uuid not null, "token_hash" bytea not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, primary key ("id"));`,
    );
    this.addSql(`create index "email_verifications_user_id_index" on "email_verifications" ("user_id");`);
    this.addSql(
      `alter table "email_verifications" add constraint "email_verifications_token_hash_unique" unique ("token_hash");`,
    );

    this.addSql(
      `create table "customers" ("id" uuid not null, "developer_id" uuid not null, "email" text not null, "email_key" text collate "C" not null, "first_name" text null, "last_name" text null, "created_at" timestamptz(3) not null, "last_login_at" timestamptz(3) null, "erased_at" timestamptz(3) null, primary key ("id", "developer_id"));`,
    );
    this.addSql(
      `create index "customers_list_index" on "customers" ("developer_id", "created_at", "id") where created_at > '-infinity';`,
    );
    this.addSql(
      `create index customers_search_index on customers using gin ((email_key || ' ' || lower(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))) gin_trgm_ops);`,
    );
    this.addSql(
      `alter table "customers" add constraint "customers_developer_email_unique" unique ("email_key", "developer_id");`,
    );

    this.addSql(
      `create table "custom_domains" ("id" uuid not null, "developer_id" uuid not null, "host" text not null, "created_at" timestamptz(3) not null, "checked_at" timestamptz(3) null, "verified_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "custom_domains" add constraint "custom_domains_developer_unique" unique ("developer_id");`,
    );
    this.addSql(
      `create unique index "custom_domains_host_unique" on "custom_domains" ("host") where verified_at is not null;`,
    );

    this.addSql(
      `create table "batches" ("id" uuid not null, "developer_id" uuid not null, "product_id" uuid not null, "partnership_id" uuid null, "origin" varchar(255) not null, "quantity" int not null, "prefix" text null, "promo_price_cents" int null, "promo_start" timestamptz(3) null, "promo_expires" timestamptz(3) null, "expires_at" timestamptz(3) null, "batch_tag" text null, "notes" text null, "created_at" timestamptz(3) not null, primary key ("id", "developer_id"));`,
    );
    this.addSql(
      `create index "batches_list_index" on "batches" ("developer_id", "id") where created_at > '-infinity';`,
    );
    this.addSql(`create index batches_product_index on batches (product_id);`);
    this.addSql(`create index batches_partnership_index on batches (partnership_id);`);

    this.addSql(
      `create table "serials" ("id" uuid not null, "developer_id" uuid not null, "batch_id" uuid not null, "code" text not null, "code_key" text collate "C" not null, "customer_id" uuid null, "redeemed_at" timestamptz(3) null, "revoked_at" timestamptz(3) null, "download_count" smallint not null default 0, "max_activations" int null, "seats_used" int not null default 0, primary key ("id", "developer_id"));`,
    );
    this.addSql(`create index serials_customer_index on serials (customer_id, id) where customer_id is not null;`);
    this.addSql(`create index serials_batch_index on serials (batch_id, id);`);
    this.addSql(
      `create index serials_available_index on serials (batch_id, id) where redeemed_at is null and revoked_at is null;`,
    );
    this.addSql(`create index serials_redeemed_index on serials (batch_id) where redeemed_at is not null;`);
    this.addSql(`create index serials_revoked_index on serials (batch_id) where revoked_at is not null;`);
    this.addSql(`alter table "serials" add constraint "serials_code_unique" unique ("code_key", "developer_id");`);

    this.addSql(
      `create table "serial_events" ("developer_id" uuid not null, "id" uuid not null, "serial_id" uuid not null, "kind" varchar(255) not null, "happened_at" timestamptz(3) not null, "detail" text null, primary key ("developer_id", "id"));`,
    );
    this.addSql(`create index serial_events_serial_index on serial_events (serial_id, id);`);

    this.addSql(
      `create table "redemptions" ("id" uuid not null, "developer_id" uuid not null, "serial_id" uuid not null, "product_id" uuid not null, "partnership_id" uuid null, "customer_id" uuid not null, "redeemed_at" timestamptz(3) not null, "source" varchar(255) not null, "final_price_cents" int not null, "commission_bps" int not null default 0, "commission_cents" int not null default 0, "country" text null, primary key ("id", "developer_id"));`,
    );
    this.addSql(
      `create index "redemptions_list_index" on "redemptions" ("developer_id", "redeemed_at", "id") where redeemed_at > '-infinity';`,
    );
    this.addSql(`create index redemptions_product_time_index on redemptions (product_id, redeemed_at, id);`);
    this.addSql(`create index redemptions_customer_index on redemptions (customer_id);`);
    this.addSql(`create index redemptions_partnership_index on redemptions (partnership_id);`);
    this.addSql(
      `alter table "redemptions" add constraint "redemptions_serial_unique" unique ("serial_id", "developer_id");`,
    );

    this.addSql(
      `create table "redeem_tickets" ("developer_id" uuid not null, "id" uuid not null, "token_hash" bytea not null, "serial_id" uuid not null, "email" text not null, "proven" jsonb not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "used_at" timestamptz(3) null, primary key ("developer_id", "id"));`,
    );
    this.addSql(`create index "redeem_tickets_expires_at_index" on "redeem_tickets" ("expires_at");`);
    this.addSql(`create index redeem_tickets_serial_index on redeem_tickets (serial_id);`);
    this.addSql(
      `alter table "redeem_tickets" add constraint "redeem_tickets_token_unique" unique ("token_hash", "developer_id");`,
    );

    this.addSql(
      `create table "activations" ("id" uuid not null, "developer_id" uuid not null, "serial_id" uuid not null, "machine_id" text not null, "version" text null, "label" text null, "os" text null, "leased_until" timestamptz(3) null, "created_at" timestamptz(3) not null, "last_seen_at" timestamptz(3) not null, "released_at" timestamptz(3) null, "token_hash" bytea null, primary key ("id", "developer_id"));`,
    );
    this.addSql(
      `create index "activations_list_index" on "activations" ("developer_id", "last_seen_at") where last_seen_at > '-infinity';`,
    );
    this.addSql(
      `create index "activations_leased_index" on "activations" ("leased_until") where released_at is null and leased_until is not null;`,
    );
    this.addSql(
      `alter table "activations" add constraint "activations_machine_unique" unique ("serial_id", "developer_id", "machine_id");`,
    );

    this.addSql(
      `create table "account_closings" ("developer_id" uuid not null, "name" text not null, "verified" boolean not null, "told_created_at" timestamptz(3) null, "told_id" uuid null, primary key ("developer_id"));`,
    );

    this.addSql(
      `create table "access_tokens" ("id" uuid not null, "user_id" uuid not null, "name" text not null, "scopes" text[] not null, "token_hash" bytea not null, "hint" text not null, "created_at" timestamptz(3) not null, "last_used_at" timestamptz(3) null, "expires_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "access_tokens_user_id_index" on "access_tokens" ("user_id");`);
    this.addSql(`alter table "access_tokens" add constraint "access_tokens_token_hash_unique" unique ("token_hash");`);

    this.addSql(`alter table "users" add constraint "users_role_check" check (role in ('developer', 'reseller'));`);
    this.addSql(`alter table "users" add constraint "users_low_serials_check" check (low_serials_threshold >= 0);`);
    this.addSql(
      `alter table "users" add constraint "users_redemption_mails_check" check (redemption_mails in ('each', 'daily'));`,
    );

    this.addSql(
      `alter table "usage_months" add constraint "usage_months_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(`alter table "usage_months" add constraint "usage_months_redemptions_check" check (redemptions >= 0);`);

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
      `alter table "signing_keys" add constraint "signing_keys_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );

    this.addSql(
      `alter table "sessions" add constraint "sessions_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "mails" add constraint "mails_developer_id_foreign" foreign key ("developer_id") references "users" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "refresh_charges" add constraint "refresh_charges_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(`alter table "refresh_charges" add constraint "refresh_charges_cost_check" check (cost_cents >= 0);`);
    this.addSql(
      `create or replace function "refresh_charges_refresh_charges_append_only_fn"() returns trigger as $$ begin raise exception 'the ledger is append-only'; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "refresh_charges_append_only" BEFORE UPDATE OR DELETE on "refresh_charges" for each ROW execute function "refresh_charges_refresh_charges_append_only_fn"();`,
    );

    this.addSql(
      `alter table "recovery_codes" add constraint "recovery_codes_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "products" add constraint "products_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(
      `alter table "products" add constraint "products_price_check" check (price_cents >= 0 and sale_price_cents >= 0 and (price_cents is null or sale_price_cents <= price_cents));`,
    );
    this.addSql(
      `alter table "products" add constraint "products_limits_check" check (max_activations >= 1 and offline_days >= 1 and lease_days >= 1 and trial_days >= 0);`,
    );

    this.addSql(
      `alter table "trials" add constraint "trials_product_id_developer_id_foreign" foreign key ("product_id", "developer_id") references "products" ("id", "developer_id") on update no action on delete cascade;`,
    );

    this.addSql(
      `alter table "product_keys" add constraint "product_keys_product_id_developer_id_foreign" foreign key ("product_id", "developer_id") references "products" ("id", "developer_id") on update no action on delete cascade;`,
    );

    this.addSql(
      `alter table "plugin_keys" add constraint "plugin_keys_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );

    this.addSql(
      `alter table "plugin_key_reveals" add constraint "plugin_key_reveals_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(
      `alter table "plugin_key_reveals" add constraint "plugin_key_reveals_key_id_foreign" foreign key ("key_id") references "plugin_keys" ("id") on delete set null;`,
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
      `alter table "license_refusals" add constraint "license_refusals_developer_id_foreign" foreign key ("developer_id") references "users" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "ledger_days" add constraint "ledger_days_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );

    this.addSql(
      `alter table "ledger_countries" add constraint "ledger_countries_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );

    this.addSql(
      `alter table "known_places" add constraint "known_places_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "known_places" add constraint "known_places_kind_check" check (kind in ('device', 'address'));`,
    );

    this.addSql(
      `alter table "imports" add constraint "imports_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );

    this.addSql(
      `alter table "email_verifications" add constraint "email_verifications_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "customers" add constraint "customers_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );

    this.addSql(
      `alter table "custom_domains" add constraint "custom_domains_developer_id_foreign" foreign key ("developer_id") references "users" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "batches" add constraint "batches_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(
      `alter table "batches" add constraint "batches_product_id_developer_id_foreign" foreign key ("product_id", "developer_id") references "products" ("id", "developer_id") on update no action;`,
    );
    this.addSql(
      `alter table "batches" add constraint "batches_partnership_id_developer_id_foreign" foreign key ("partnership_id", "developer_id") references "partnerships" ("id", "developer_id") on update no action on delete no action;`,
    );
    this.addSql(`alter table "batches" add constraint "batches_promo_check" check (promo_price_cents >= 0);`);
    this.addSql(`alter table "batches" add constraint "batches_quantity_check" check (quantity > 0);`);

    this.addSql(
      `alter table "serials" add constraint "serials_batch_id_developer_id_foreign" foreign key ("batch_id", "developer_id") references "batches" ("id", "developer_id") on update no action;`,
    );
    this.addSql(
      `alter table "serials" add constraint "serials_customer_id_developer_id_foreign" foreign key ("customer_id", "developer_id") references "customers" ("id", "developer_id") on update no action on delete no action;`,
    );
    this.addSql(
      `alter table "serials" add constraint "serials_download_count_check" check (download_count >= 0 and download_count <= 5);`,
    );
    this.addSql(`alter table "serials" add constraint "serials_seats_used_check" check (seats_used >= 0);`);
    this.addSql(`alter table "serials" add constraint "serials_max_activations_check" check (max_activations >= 1);`);
    this.addSql(
      `alter table "serials" add constraint "serials_owner_check" check ((customer_id is null) = (redeemed_at is null));`,
    );

    this.addSql(
      `alter table "serial_events" add constraint "serial_events_serial_id_developer_id_foreign" foreign key ("serial_id", "developer_id") references "serials" ("id", "developer_id") on update no action on delete cascade;`,
    );

    this.addSql(
      `alter table "redemptions" add constraint "redemptions_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(
      `alter table "redemptions" add constraint "redemptions_serial_id_developer_id_foreign" foreign key ("serial_id", "developer_id") references "serials" ("id", "developer_id") on update no action on delete restrict;`,
    );
    this.addSql(
      `alter table "redemptions" add constraint "redemptions_product_id_developer_id_foreign" foreign key ("product_id", "developer_id") references "products" ("id", "developer_id") on update no action;`,
    );
    this.addSql(
      `alter table "redemptions" add constraint "redemptions_partnership_id_developer_id_foreign" foreign key ("partnership_id", "developer_id") references "partnerships" ("id", "developer_id") on update no action on delete no action;`,
    );
    this.addSql(
      `alter table "redemptions" add constraint "redemptions_customer_id_developer_id_foreign" foreign key ("customer_id", "developer_id") references "customers" ("id", "developer_id") on update no action;`,
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
      `create trigger "redemptions_append_only" BEFORE UPDATE OR DELETE on "redemptions" for each ROW execute function "redemptions_redemptions_append_only_fn"();`,
    );

    this.addSql(
      `alter table "redeem_tickets" add constraint "redeem_tickets_serial_id_developer_id_foreign" foreign key ("serial_id", "developer_id") references "serials" ("id", "developer_id") on update no action on delete cascade;`,
    );

    this.addSql(
      `alter table "activations" add constraint "activations_serial_id_developer_id_foreign" foreign key ("serial_id", "developer_id") references "serials" ("id", "developer_id") on update no action on delete cascade;`,
    );

    this.addSql(
      `alter table "account_closings" add constraint "account_closings_developer_id_foreign" foreign key ("developer_id") references "users" ("id") on update cascade on delete cascade;`,
    );

    this.addSql(
      `alter table "access_tokens" add constraint "access_tokens_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "usage_months" drop constraint "usage_months_developer_id_foreign";`);
    this.addSql(`alter table "files" drop constraint "files_developer_id_foreign";`);
    this.addSql(`alter table "signing_keys" drop constraint "signing_keys_developer_id_foreign";`);
    this.addSql(`alter table "sessions" drop constraint "sessions_user_id_foreign";`);
    this.addSql(`alter table "mails" drop constraint "mails_developer_id_foreign";`);
    this.addSql(`alter table "refresh_charges" drop constraint "refresh_charges_developer_id_foreign";`);
    this.addSql(`alter table "recovery_codes" drop constraint "recovery_codes_user_id_foreign";`);
    this.addSql(`alter table "products" drop constraint "products_developer_id_foreign";`);
    this.addSql(`alter table "plugin_keys" drop constraint "plugin_keys_developer_id_foreign";`);
    this.addSql(`alter table "plugin_key_reveals" drop constraint "plugin_key_reveals_developer_id_foreign";`);
    this.addSql(`alter table "password_resets" drop constraint "password_resets_user_id_foreign";`);
    this.addSql(`alter table "partnerships" drop constraint "partnerships_developer_id_foreign";`);
    this.addSql(`alter table "partnerships" drop constraint "partnerships_reseller_id_foreign";`);
    this.addSql(`alter table "license_refusals" drop constraint "license_refusals_developer_id_foreign";`);
    this.addSql(`alter table "ledger_days" drop constraint "ledger_days_developer_id_foreign";`);
    this.addSql(`alter table "ledger_countries" drop constraint "ledger_countries_developer_id_foreign";`);
    this.addSql(`alter table "known_places" drop constraint "known_places_user_id_foreign";`);
    this.addSql(`alter table "imports" drop constraint "imports_developer_id_foreign";`);
    this.addSql(`alter table "email_verifications" drop constraint "email_verifications_user_id_foreign";`);
    this.addSql(`alter table "customers" drop constraint "customers_developer_id_foreign";`);
    this.addSql(`alter table "custom_domains" drop constraint "custom_domains_developer_id_foreign";`);
    this.addSql(`alter table "batches" drop constraint "batches_developer_id_foreign";`);
    this.addSql(`alter table "redemptions" drop constraint "redemptions_developer_id_foreign";`);
    this.addSql(`alter table "account_closings" drop constraint "account_closings_developer_id_foreign";`);
    this.addSql(`alter table "access_tokens" drop constraint "access_tokens_user_id_foreign";`);
    this.addSql(`alter table "trials" drop constraint "trials_product_id_developer_id_foreign";`);
    this.addSql(`alter table "product_keys" drop constraint "product_keys_product_id_developer_id_foreign";`);
    this.addSql(`alter table "batches" drop constraint "batches_product_id_developer_id_foreign";`);
    this.addSql(`alter table "redemptions" drop constraint "redemptions_product_id_developer_id_foreign";`);
    this.addSql(`alter table "plugin_key_reveals" drop constraint "plugin_key_reveals_key_id_foreign";`);
    this.addSql(`alter table "batches" drop constraint "batches_partnership_id_developer_id_foreign";`);
    this.addSql(`alter table "redemptions" drop constraint "redemptions_partnership_id_developer_id_foreign";`);
    this.addSql(`alter table "serials" drop constraint "serials_customer_id_developer_id_foreign";`);
    this.addSql(`alter table "redemptions" drop constraint "redemptions_customer_id_developer_id_foreign";`);
    this.addSql(`alter table "serials" drop constraint "serials_batch_id_developer_id_foreign";`);
    this.addSql(`alter table "serial_events" drop constraint "serial_events_serial_id_developer_id_foreign";`);
    this.addSql(`alter table "redemptions" drop constraint "redemptions_serial_id_developer_id_foreign";`);
    this.addSql(`alter table "redeem_tickets" drop constraint "redeem_tickets_serial_id_developer_id_foreign";`);
    this.addSql(`alter table "activations" drop constraint "activations_serial_id_developer_id_foreign";`);

    this.addSql(`drop table if exists "announcements" cascade;`);
    this.addSql(`drop table if exists "idempotency_records" cascade;`);
    this.addSql(`drop table if exists "rate_limits" cascade;`);
    this.addSql(`drop table if exists "rolling_migrations" cascade;`);
    this.addSql(`drop table if exists "secret_probes" cascade;`);
    this.addSql(`drop table if exists "users" cascade;`);
    this.addSql(`drop table if exists "usage_months" cascade;`);
    this.addSql(`drop table if exists "files" cascade;`);
    this.addSql(`drop table if exists "signing_keys" cascade;`);
    this.addSql(`drop table if exists "sessions" cascade;`);
    this.addSql(`drop table if exists "mails" cascade;`);
    this.addSql(`drop trigger if exists "refresh_charges_append_only" on "refresh_charges";`);
    this.addSql(`drop function if exists "refresh_charges_refresh_charges_append_only_fn"();`);
    this.addSql(`drop table if exists "refresh_charges" cascade;`);
    this.addSql(`drop table if exists "recovery_codes" cascade;`);
    this.addSql(`drop table if exists "products" cascade;`);
    this.addSql(`drop table if exists "trials" cascade;`);
    this.addSql(`drop table if exists "product_keys" cascade;`);
    this.addSql(`drop table if exists "plugin_keys" cascade;`);
    this.addSql(`drop table if exists "plugin_key_reveals" cascade;`);
    this.addSql(`drop table if exists "password_resets" cascade;`);
    this.addSql(`drop table if exists "partnerships" cascade;`);
    this.addSql(`drop table if exists "license_refusals" cascade;`);
    this.addSql(`drop table if exists "ledger_days" cascade;`);
    this.addSql(`drop table if exists "ledger_countries" cascade;`);
    this.addSql(`drop table if exists "known_places" cascade;`);
    this.addSql(`drop table if exists "imports" cascade;`);
    this.addSql(`drop table if exists "email_verifications" cascade;`);
    this.addSql(`drop table if exists "customers" cascade;`);
    this.addSql(`drop table if exists "custom_domains" cascade;`);
    this.addSql(`drop table if exists "batches" cascade;`);
    this.addSql(`drop table if exists "serials" cascade;`);
    this.addSql(`drop table if exists "serial_events" cascade;`);
    this.addSql(`drop trigger if exists "redemptions_append_only" on "redemptions";`);
    this.addSql(`drop function if exists "redemptions_redemptions_append_only_fn"();`);
    this.addSql(`drop table if exists "redemptions" cascade;`);
    this.addSql(`drop table if exists "redeem_tickets" cascade;`);
    this.addSql(`drop table if exists "activations" cascade;`);
    this.addSql(`drop table if exists "account_closings" cascade;`);
    this.addSql(`drop table if exists "access_tokens" cascade;`);
  }
}
