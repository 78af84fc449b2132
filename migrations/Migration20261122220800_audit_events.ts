import { Migration } from '@mikro-orm/migrations';

export class Migration20261122220800_audit_events extends Migration {
  override name = 'Migration20261122220800_audit_events';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "audit_events" ("account_id" uuid not null, "id" uuid not null, "at" timestamptz(3) not null, "action" text not null, "detail" text null, "object_id" uuid null, "via" text null, "token_name" text null, "ip" text null, "user_agent" text null, primary key ("account_id", "id"));`,
    );
    this.addSql(`create index "audit_events_at_index" on "audit_events" ("at");`);

    this.addSql(
      `create or replace function "audit_events_audit_events_append_only_fn"() returns trigger as $$ begin raise exception 'the audit log is append-only'; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "audit_events_append_only" BEFORE UPDATE on "audit_events" for each ROW execute function "audit_events_audit_events_append_only_fn"();`,
    );

    this.addSql(`insert into rolling_migrations (name) values ('Migration20261122220800_audit_events');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop trigger if exists "audit_events_append_only" on "audit_events";`);
    this.addSql(`drop function if exists "audit_events_audit_events_append_only_fn"();`);
    this.addSql(`drop table if exists "audit_events" cascade;`);
  }
}
