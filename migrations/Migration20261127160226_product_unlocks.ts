import { Migration } from '@mikro-orm/migrations';

export class Migration20261127160226_product_unlocks extends Migration {
  override name = 'Migration20261127160226_product_unlocks';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "product_unlocks" ("developer_id" uuid not null, "id" uuid not null, "product_id" uuid not null, "created_at" timestamptz(3) not null, "downloaded_at" timestamptz(3) null, "published_at" timestamptz(3) null, "audience" text null, primary key ("developer_id", "id"));`,
    );
    this.addSql(
      `alter table "product_unlocks" add constraint "product_unlocks_product_id_developer_id_unique" unique ("product_id", "developer_id");`,
    );

    this.addSql(
      `alter table "product_unlocks" add constraint "product_unlocks_product_id_developer_id_foreign" foreign key ("product_id", "developer_id") references "products" ("id", "developer_id") on update no action on delete cascade;`,
    );
    this.addSql(
      `alter table "product_unlocks" add constraint "product_unlocks_audience_check" check (audience in ('owners', 'everyone'));`,
    );
    this.addSql(
      `alter table "product_unlocks" add constraint "product_unlocks_published_check" check ((audience is null) = (published_at is null));`,
    );
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261127160226_product_unlocks');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from rolling_migrations where name = 'Migration20261127160226_product_unlocks';`);

    this.addSql(`drop table if exists "product_unlocks" cascade;`);
  }
}
