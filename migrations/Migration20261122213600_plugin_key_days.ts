import { Migration } from '@mikro-orm/migrations';

export class Migration20261122213600_plugin_key_days extends Migration {
  override name = 'Migration20261122213600_plugin_key_days';

  override up(): void | Promise<void> {
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261122213600_plugin_key_days');`);

    this.addSql(
      `create table "plugin_key_days" ("developer_id" uuid not null, "day" date not null, "key_id" uuid not null, "calls" bigint not null default '0', "refused" bigint not null default '0', primary key ("developer_id", "day", "key_id"));`,
    );

    this.addSql(
      `alter table "plugin_key_days" add constraint "plugin_key_days_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "plugin_key_days" cascade;`);
  }
}
