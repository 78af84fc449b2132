import { Migration } from '@mikro-orm/migrations';

export class Migration20261121091717_musician_and_plugin_side extends Migration {
  override name = 'Migration20261121091717_musician_and_plugin_side';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "announcements" ("id" uuid not null, "subject" text not null, "body" text not null, "audience" varchar(255) not null, "recipients" int not null, "created_at" timestamptz(3) not null, primary key ("id"));`,
    );

    this.addSql(
      `create table "mails" ("id" uuid not null, "kind" varchar(255) not null, "developer_id" uuid null, "recipient" text not null, "subject" text not null, "attempts" int not null default 0, "error" text null, "created_at" timestamptz(3) not null, "sent_at" timestamptz(3) null, "failed_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "mails_created_index" on "mails" ("created_at", "id");`);
    this.addSql(`create index "mails_developer_index" on "mails" ("developer_id", "id");`);

    this.addSql(
      `create table "trials" ("id" uuid not null, "developer_id" uuid not null, "product_id" uuid not null, "machine_hash" bytea not null, "started_at" timestamptz(3) not null, "ends_at" timestamptz(3) not null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "trials" add constraint "trials_product_machine_unique" unique ("product_id", "machine_hash");`,
    );

    this.addSql(
      `create table "product_keys" ("id" uuid not null, "product_id" uuid not null, "modulus" text not null, "exponent" text not null, "private_key" bytea not null, "created_at" timestamptz(3) not null, primary key ("id"));`,
    );
    this.addSql(`alter table "product_keys" add constraint "product_keys_product_id_unique" unique ("product_id");`);

    this.addSql(
      `create table "license_refusals" ("id" bigserial primary key, "developer_id" uuid not null, "at" timestamptz(3) not null, "action" text not null, "status" text not null, "serial_id" uuid null, "product_id" uuid null, "machine" text null, "version" text null, "count" int not null default 1);`,
    );
    this.addSql(`create index "license_refusals_at_index" on "license_refusals" ("at");`);
    this.addSql(`create index "license_refusals_developer_index" on "license_refusals" ("developer_id", "id");`);

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
      `alter table "users" add "dark_mode" boolean not null default false, add "send_customer_emails" boolean not null default true, add "redemption_mails" varchar(255) not null default 'daily', add "digested_until" timestamptz(3) null;`,
    );
    this.addSql(
      `alter table "users" add constraint "users_redemption_mails_check" check (redemption_mails in ('each', 'daily'));`,
    );

    this.addSql(
      `alter table "plugin_keys" add "is_test" boolean not null default false, add "successor_id" uuid null;`,
    );

    this.addSql(`alter table "customers" alter column "email_key" type text collate "C" using ("email_key"::text);`);

    this.addSql(`alter table "serials" add "max_activations" int null;`);
    this.addSql(`alter table "serials" alter column "code_key" type text collate "C" using ("code_key"::text);`);
    this.addSql(`alter table "serials" add constraint "serials_max_activations_check" check (max_activations >= 1);`);

    this.addSql(
      `alter table "activations" add "label" text null, add "os" text null, add "leased_until" timestamptz(3) null;`,
    );
    this.addSql(`create index "activations_developer_seen_index" on "activations" ("developer_id", "last_seen_at");`);
    this.addSql(
      `create index "activations_leased_index" on "activations" ("leased_until") where released_at is null and leased_until is not null;`,
    );

    this.addSql(
      `alter table "mails" add constraint "mails_developer_id_foreign" foreign key ("developer_id") references "users" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "trials" add constraint "trials_product_id_foreign" foreign key ("product_id") references "products" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "product_keys" add constraint "product_keys_product_id_foreign" foreign key ("product_id") references "products" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "license_refusals" add constraint "license_refusals_developer_id_foreign" foreign key ("developer_id") references "users" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "custom_domains" add constraint "custom_domains_developer_id_foreign" foreign key ("developer_id") references "users" ("id") on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "announcements" cascade;`);
    this.addSql(`drop table if exists "mails" cascade;`);
    this.addSql(`drop table if exists "trials" cascade;`);
    this.addSql(`drop table if exists "product_keys" cascade;`);
    this.addSql(`drop table if exists "license_refusals" cascade;`);
    this.addSql(`drop table if exists "custom_domains" cascade;`);

    this.addSql(`drop index "activations_developer_seen_index";`);
    this.addSql(`drop index "activations_leased_index";`);
    this.addSql(`alter table "activations" drop column "label", drop column "os", drop column "leased_until";`);

    this.addSql(`alter table "customers" alter column "email_key" type text using ("email_key"::text);`);

    this.addSql(`alter table "plugin_keys" drop column "is_test", drop column "successor_id";`);

    this.addSql(`alter table "serials" drop constraint "serials_max_activations_check";`);
    this.addSql(`alter table "serials" drop column "max_activations";`);
    this.addSql(`alter table "serials" alter column "code_key" type text using ("code_key"::text);`);

    this.addSql(`alter table "users" drop constraint "users_redemption_mails_check";`);
    this.addSql(
      `alter table "users" drop column "dark_mode", drop column "send_customer_emails", drop column "redemption_mails", drop column "digested_until";`,
    );
  }
}
