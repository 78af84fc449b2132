import { Migration } from '@mikro-orm/migrations';

export class Migration20261129041549_shop_farewells extends Migration {
  override name = 'Migration20261129041549_shop_farewells';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "shop_farewells" ("id" uuid not null, "developer_id" uuid not null, "shop_id" uuid not null, "credentials" bytea not null, "tries" int not null default 0, "next_at" timestamptz(3) not null, "created_at" timestamptz(3) not null, primary key ("id", "developer_id"));`,
    );
    this.addSql(`create index "shop_farewells_shop_index" on "shop_farewells" ("shop_id", "developer_id");`);
    this.addSql(`create index "shop_farewells_due_index" on "shop_farewells" ("next_at");`);

    this.addSql(
      `alter table "shop_farewells" add constraint "shop_farewells_shop_id_developer_id_foreign" foreign key ("shop_id", "developer_id") references "shop_connections" ("id", "developer_id") on update no action on delete cascade;`,
    );

    this.addSql(
      `insert into "shop_farewells" (id, developer_id, shop_id, credentials, next_at, created_at) select gen_random_uuid(), developer_id, id, credentials, now(), now() from "shop_connections" where deleted_at is not null and credentials is not null;`,
    );
    this.addSql(`update "shop_connections" set credentials = null where deleted_at is not null;`);
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261129041549_shop_farewells');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from rolling_migrations where name = 'Migration20261129041549_shop_farewells';`);

    this.addSql(`drop table if exists "shop_farewells" cascade;`);
  }
}
