import { Migration } from '@mikro-orm/migrations';

export class Migration20261127160135_expansion_secrets extends Migration {
  override name = 'Migration20261127160135_expansion_secrets';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "expansion_secrets" ("developer_id" uuid not null, "id" uuid not null, "product_id" uuid not null, "number" int not null, "secret" bytea not null, "created_at" timestamptz(3) not null, primary key ("developer_id", "id"));`,
    );
    this.addSql(
      `alter table "expansion_secrets" add constraint "expansion_secrets_number_unique" unique ("product_id", "developer_id", "number");`,
    );

    this.addSql(
      `alter table "expansion_secrets" add constraint "expansion_secrets_product_id_developer_id_foreign" foreign key ("product_id", "developer_id") references "products" ("id", "developer_id") on update no action on delete cascade;`,
    );
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261127160135_expansion_secrets');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from rolling_migrations where name = 'Migration20261127160135_expansion_secrets';`);
    this.addSql(`drop table if exists "expansion_secrets" cascade;`);
  }
}
