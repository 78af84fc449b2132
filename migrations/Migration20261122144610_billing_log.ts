import { Migration } from '@mikro-orm/migrations';

export class Migration20261122144610_billing_log extends Migration {
  override name = 'Migration20261122144610_billing_log';

  override up(): void | Promise<void> {
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261122144610_billing_log');`);
    this.addSql(
      `create table "billing_differences" ("developer_id" uuid not null, "statement_id" uuid not null, "invoice_id" text null, "words" text not null, "found_at" timestamptz(3) not null, primary key ("developer_id", "statement_id"));`,
    );

    this.addSql(
      `create table "billing_logs" ("developer_id" uuid not null, "id" uuid not null, "statement_id" uuid not null, "attempt" int not null, "action" varchar(255) not null, "status" varchar(255) not null, "email" text not null, "amount_cents" bigint not null, "error_message" text null, "actor_id" uuid null, "created_at" timestamptz(3) not null, primary key ("developer_id", "id"));`,
    );
    this.addSql(`create index "billing_logs_time_index" on "billing_logs" ("created_at", "id");`);
    this.addSql(
      `alter table "billing_logs" add constraint "billing_logs_attempt_unique" unique ("developer_id", "statement_id", "attempt", "action");`,
    );

    this.addSql(
      `alter table "billing_logs" add constraint "billing_logs_statement_id_developer_id_foreign" foreign key ("statement_id", "developer_id") references "billing_statements" ("id", "developer_id") on update no action on delete no action;`,
    );
    this.addSql(
      `alter table "billing_logs" add constraint "billing_logs_status_check" check (status in ('success', 'failed'));`,
    );
    this.addSql(
      `alter table "billing_logs" add constraint "billing_logs_action_check" check (action in ('charge', 'balance', 'retry', 'uncollectible', 'void'));`,
    );
    this.addSql(
      `create or replace function "billing_logs_billing_logs_append_only_fn"() returns trigger as $$ begin raise exception 'the log is append-only'; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "billing_logs_append_only" BEFORE UPDATE OR DELETE on "billing_logs" for each ROW execute function "billing_logs_billing_logs_append_only_fn"();`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "billing_differences" cascade;`);
    this.addSql(`drop trigger if exists "billing_logs_append_only" on "billing_logs";`);
    this.addSql(`drop function if exists "billing_logs_billing_logs_append_only_fn"();`);
    this.addSql(`drop table if exists "billing_logs" cascade;`);
  }
}
