import { Migration } from '@mikro-orm/migrations';

export class Migration20261122181236_webhooks extends Migration {
  override name = 'Migration20261122181236_webhooks';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "webhook_days" ("endpoint_id" uuid not null, "developer_id" uuid not null, "day" date not null, "delivered" int not null, "failed" int not null, primary key ("endpoint_id", "developer_id", "day"));`,
    );
    this.addSql(`create index "webhook_days_expiry_index" on "webhook_days" ("day");`);

    this.addSql(
      `create table "webhook_endpoints" ("id" uuid not null, "developer_id" uuid not null, "url" text not null, "description" text not null, "events" text[] not null, "signature" varchar(255) not null, "include_personal" boolean not null, "secret" bytea not null, "previous_secret" bytea null, "previous_until" timestamptz(3) null, "enabled" boolean not null, "disabled_reason" varchar(255) null, "disabled_at" timestamptz(3) null, "first_failure_at" timestamptz(3) null, "last_failure_at" timestamptz(3) null, "last_success_at" timestamptz(3) null, "warned" int not null default 0, "slow" boolean not null default false, "listens_until" timestamptz(3) null, "created_at" timestamptz(3) not null, primary key ("id", "developer_id"));`,
    );
    this.addSql(`create index webhook_endpoints_account_index on webhook_endpoints (developer_id);`);
    this.addSql(
      `create index webhook_endpoints_failing_index on webhook_endpoints (first_failure_at) where first_failure_at is not null;`,
    );

    this.addSql(
      `create table "webhook_events" ("id" uuid not null, "developer_id" uuid not null, "type" text not null, "occurred_at" timestamptz(3) not null, "data" text not null, "personal" text null, "object_ids" uuid[] not null, "is_test" boolean not null default false, "xid" bigint not null, primary key ("id", "developer_id"));`,
    );
    this.addSql(
      `create index webhook_events_feed_index on webhook_events (developer_id, xid, id) where occurred_at > '-infinity';`,
    );
    this.addSql(`create index "webhook_events_expiry_index" on "webhook_events" ("occurred_at");`);

    this.addSql(
      `create table "webhook_deliveries" ("id" uuid not null, "developer_id" uuid not null, "endpoint_id" uuid not null, "event_id" uuid not null, "state" varchar(255) not null, "attempts" int not null default 0, "position" int not null default 0, "trigger" varchar(255) not null default 'schedule', "next_attempt_at" timestamptz(3) null, "lease" uuid null, "last_status" int null, "last_error" text null, "last_attempt_at" timestamptz(3) null, "delivered_at" timestamptz(3) null, "created_at" timestamptz(3) not null, primary key ("id", "developer_id"));`,
    );
    this.addSql(
      `create index "webhook_deliveries_waiting_index" on "webhook_deliveries" ("endpoint_id", "next_attempt_at") where state = 'waiting';`,
    );
    this.addSql(
      `create index "webhook_deliveries_leased_index" on "webhook_deliveries" ("endpoint_id") where lease is not null;`,
    );
    this.addSql(`create index "webhook_deliveries_list_index" on "webhook_deliveries" ("endpoint_id", "id");`);
    this.addSql(
      `alter table "webhook_deliveries" add constraint "webhook_deliveries_unique" unique ("event_id", "developer_id", "endpoint_id");`,
    );

    this.addSql(
      `create table "webhook_attempts" ("id" uuid not null, "developer_id" uuid not null, "delivery_id" uuid not null, "n" int not null, "trigger" varchar(255) not null, "started_at" timestamptz(3) not null, "duration_ms" int not null, "status" int null, "error" text null, "request_headers" text not null, "response_headers" text null, "response_text" text null, primary key ("id", "developer_id"));`,
    );
    this.addSql(
      `alter table "webhook_attempts" add constraint "webhook_attempts_n_unique" unique ("delivery_id", "developer_id", "n");`,
    );

    this.addSql(
      `create table "webhook_keys" ("developer_id" uuid not null, "id" uuid not null, "public_key" bytea not null, "private_key" bytea not null, "created_at" timestamptz(3) not null, "retired_at" timestamptz(3) null, primary key ("developer_id", "id"));`,
    );
    this.addSql(
      `create unique index "webhook_keys_current_unique" on "webhook_keys" ("developer_id") where retired_at is null;`,
    );

    this.addSql(
      `alter table "webhook_endpoints" add constraint "webhook_endpoints_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(
      `alter table "webhook_endpoints" add constraint "webhook_endpoints_signature_check" check (signature in ('v1', 'v1a'));`,
    );
    this.addSql(
      `alter table "webhook_endpoints" add constraint "webhook_endpoints_disabled_check" check (enabled = (disabled_reason is null));`,
    );
    this.addSql(
      `alter table "webhook_endpoints" add constraint "webhook_endpoints_previous_check" check ((previous_secret is null) = (previous_until is null));`,
    );

    this.addSql(
      `alter table "webhook_events" add constraint "webhook_events_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );

    this.addSql(
      `alter table "webhook_deliveries" add constraint "webhook_deliveries_event_id_developer_id_foreign" foreign key ("event_id", "developer_id") references "webhook_events" ("id", "developer_id") on update no action on delete cascade;`,
    );
    this.addSql(
      `alter table "webhook_deliveries" add constraint "webhook_deliveries_state_check" check (state in ('waiting', 'delivered', 'failed', 'skipped'));`,
    );
    this.addSql(
      `alter table "webhook_deliveries" add constraint "webhook_deliveries_next_check" check ((state = 'waiting') = (next_attempt_at is not null) and (lease is null or state = 'waiting'));`,
    );

    this.addSql(
      `alter table "webhook_attempts" add constraint "webhook_attempts_delivery_id_developer_id_foreign" foreign key ("delivery_id", "developer_id") references "webhook_deliveries" ("id", "developer_id") on update no action on delete cascade;`,
    );

    this.addSql(
      `alter table "webhook_keys" add constraint "webhook_keys_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261122181236_webhooks');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "webhook_deliveries" drop constraint "webhook_deliveries_event_id_developer_id_foreign";`);
    this.addSql(`alter table "webhook_attempts" drop constraint "webhook_attempts_delivery_id_developer_id_foreign";`);

    this.addSql(`drop table if exists "webhook_days" cascade;`);
    this.addSql(`drop table if exists "webhook_endpoints" cascade;`);
    this.addSql(`drop table if exists "webhook_events" cascade;`);
    this.addSql(`drop table if exists "webhook_deliveries" cascade;`);
    this.addSql(`drop table if exists "webhook_attempts" cascade;`);
    this.addSql(`drop table if exists "webhook_keys" cascade;`);
  }
}
