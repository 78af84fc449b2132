import { Migration } from '@mikro-orm/migrations';

export class Migration20261127032503_reseller_developers extends Migration {
  override name = 'Migration20261127032503_reseller_developers';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "reseller_developers" ("reseller_id" uuid not null, "developer_id" uuid not null, primary key ("reseller_id", "developer_id"));`,
    );

    this.addSql(`insert into "reseller_developers" ("reseller_id", "developer_id") select distinct "reseller_id", "developer_id"
      from "partnerships" where "reseller_id" is not null;`);

    this.addSql(`alter table "partnerships" drop constraint "partnerships_reseller_id_foreign";`);

    this.addSql(
      `alter table "partnerships" add constraint "partnerships_reseller_id_developer_id_foreign" foreign key ("reseller_id", "developer_id") references "reseller_developers" ("reseller_id", "developer_id") on update no action on delete no action;`,
    );

    this.addSql(
      `alter table "reseller_developers" add constraint "reseller_developers_reseller_id_foreign" foreign key ("reseller_id") references "users" ("id") on update no action on delete cascade;`,
    );
    this.addSql(
      `alter table "reseller_developers" add constraint "reseller_developers_developer_id_foreign" foreign key ("developer_id") references "users" ("id") on update no action on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "partnerships" drop constraint "partnerships_reseller_id_developer_id_foreign";`);

    this.addSql(`drop table if exists "reseller_developers" cascade;`);

    this.addSql(
      `alter table "partnerships" add constraint "partnerships_reseller_id_foreign" foreign key ("reseller_id") references "users" ("id");`,
    );
  }
}
