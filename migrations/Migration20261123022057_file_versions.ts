import { Migration } from '@mikro-orm/migrations';

export class Migration20261123022057_file_versions extends Migration {
  override name = 'Migration20261123022057_file_versions';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "file_versions" ("developer_id" uuid not null, "id" uuid not null, "product_id" uuid not null, "name" text not null, "files" jsonb not null, "created_at" timestamptz(3) not null, primary key ("developer_id", "id"));`,
    );
    this.addSql(
      `alter table "file_versions" add constraint "file_versions_name_unique" unique ("developer_id", "product_id", "name");`,
    );

    this.addSql(
      `alter table "file_versions" add constraint "file_versions_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(
      `alter table "file_versions" add constraint "file_versions_product_id_developer_id_foreign" foreign key ("product_id", "developer_id") references "products" ("id", "developer_id") on update no action on delete cascade;`,
    );

    this.addSql(`insert into rolling_migrations (name) values ('Migration20261123022057_file_versions');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "file_versions" cascade;`);
  }
}
