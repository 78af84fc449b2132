import { Migration } from '@mikro-orm/migrations';

export class Migration20261122220313_saved_views extends Migration {
  override name = 'Migration20261122220313_saved_views';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "saved_views" ("id" uuid not null, "user_id" uuid not null, "list" text not null, "name" text not null, "name_key" text not null, "filter" jsonb not null, "hidden_columns" text[] not null, "created_at" timestamptz(3) not null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "saved_views" add constraint "saved_views_name_unique" unique ("user_id", "list", "name_key");`,
    );

    this.addSql(
      `create index serial_events_transferred_index on serial_events (developer_id, serial_id) where kind = 'transferred';`,
    );

    this.addSql(
      `alter table "saved_views" add constraint "saved_views_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`,
    );
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261122220313_saved_views');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "saved_views" cascade;`);

    this.addSql(`drop index "serial_events_transferred_index";`);
  }
}
