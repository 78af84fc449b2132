import { Migration } from '@mikro-orm/migrations';

export class Migration20261123065008_version_emails extends Migration {
  override name = 'Migration20261123065008_version_emails';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "version_emails" ("developer_id" uuid not null, "id" uuid not null, "product_id" uuid not null, "note" text null, "started_at" timestamptz(3) not null, "last_created_at" timestamptz(3) null, "last_id" uuid null, "told" int not null default 0, "moved_at" timestamptz(3) not null, "ended_at" timestamptz(3) null, primary key ("developer_id", "id"));`,
    );
    this.addSql(`create index version_emails_product_index on version_emails (product_id, started_at);`);
    this.addSql(`create index version_emails_open_index on version_emails (moved_at) where ended_at is null;`);

    this.addSql(
      `alter table "version_emails" add constraint "version_emails_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(
      `alter table "version_emails" add constraint "version_emails_product_id_developer_id_foreign" foreign key ("product_id", "developer_id") references "products" ("id", "developer_id") on update no action on delete cascade;`,
    );

    this.addSql(`insert into rolling_migrations (name) values ('Migration20261123065008_version_emails');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "version_emails" cascade;`);
  }
}
