import { Migration } from '@mikro-orm/migrations';

export class Migration20261122011049_account_closings extends Migration {
  override name = 'Migration20261122011049_account_closings';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "account_closings" ("developer_id" uuid not null, "name" text not null, "verified" boolean not null, "told_created_at" timestamptz(3) null, "told_id" uuid null, primary key ("developer_id"));`,
    );

    this.addSql(
      `alter table "account_closings" add constraint "account_closings_developer_id_foreign" foreign key ("developer_id") references "users" ("id") on update cascade on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "account_closings" cascade;`);
  }
}
