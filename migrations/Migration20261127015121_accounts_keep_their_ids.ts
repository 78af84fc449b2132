import { Migration } from '@mikro-orm/migrations';

export class Migration20261127015121_accounts_keep_their_ids extends Migration {
  override name = 'Migration20261127015121_accounts_keep_their_ids';

  override up(): void | Promise<void> {
    this.addSql(`alter table "seat_counts" drop constraint "seat_counts_developer_id_foreign";`);

    this.addSql(`alter table "ledger_place_counts" drop constraint "ledger_place_counts_developer_id_foreign";`);

    this.addSql(`alter table "billing_customers" drop constraint "billing_customers_developer_id_foreign";`);

    this.addSql(`alter table "account_closings" drop constraint "account_closings_developer_id_foreign";`);

    this.addSql(
      `alter table "seat_counts" add constraint "seat_counts_developer_id_foreign" foreign key ("developer_id") references "users" ("id") on update no action on delete cascade;`,
    );

    this.addSql(
      `alter table "ledger_place_counts" add constraint "ledger_place_counts_developer_id_foreign" foreign key ("developer_id") references "users" ("id") on update no action on delete cascade;`,
    );

    this.addSql(
      `alter table "billing_customers" add constraint "billing_customers_developer_id_foreign" foreign key ("developer_id") references "users" ("id") on update no action on delete cascade;`,
    );

    this.addSql(
      `alter table "account_closings" add constraint "account_closings_developer_id_foreign" foreign key ("developer_id") references "users" ("id") on update no action on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "account_closings" drop constraint "account_closings_developer_id_foreign";`);

    this.addSql(`alter table "billing_customers" drop constraint "billing_customers_developer_id_foreign";`);

    this.addSql(`alter table "ledger_place_counts" drop constraint "ledger_place_counts_developer_id_foreign";`);

    this.addSql(`alter table "seat_counts" drop constraint "seat_counts_developer_id_foreign";`);

    this.addSql(
      `alter table "account_closings" add constraint "account_closings_developer_id_foreign" foreign key ("developer_id") references "users" ("id") on update cascade on delete cascade;`,
    );

    this.addSql(
      `alter table "billing_customers" add constraint "billing_customers_developer_id_foreign" foreign key ("developer_id") references "users" ("id") on update cascade on delete cascade;`,
    );

    this.addSql(
      `alter table "ledger_place_counts" add constraint "ledger_place_counts_developer_id_foreign" foreign key ("developer_id") references "users" ("id") on update cascade on delete cascade;`,
    );

    this.addSql(
      `alter table "seat_counts" add constraint "seat_counts_developer_id_foreign" foreign key ("developer_id") references "users" ("id") on update cascade on delete cascade;`,
    );
  }
}
