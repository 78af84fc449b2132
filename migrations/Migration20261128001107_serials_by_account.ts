import { Migration } from '@mikro-orm/migrations';

export class Migration20261128001107_serials_by_account extends Migration {
  override name = 'Migration20261128001107_serials_by_account';

  override up(): void | Promise<void> {
    // the old ones go last: until then serials can be read
    this.addSql(`create index serials_by_batch_index on serials (batch_id, developer_id, id);`);
    this.addSql(
      `create index serials_open_by_batch_index on serials (batch_id, developer_id, id) where redeemed_at is null and revoked_at is null and handed_out_at is null;`,
    );
    this.addSql(
      `create index serials_handed_out_by_batch_index on serials (batch_id, developer_id, id) where redeemed_at is null and revoked_at is null and handed_out_at is not null;`,
    );
    this.addSql(`drop index "serials_available_index";`);
    this.addSql(`drop index "serials_batch_index";`);
    this.addSql(`drop index "serials_handed_out_index";`);
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261128001107_serials_by_account');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from rolling_migrations where name = 'Migration20261128001107_serials_by_account';`);
    this.addSql(
      `create index serials_available_index on serials (batch_id, id) where redeemed_at is null and revoked_at is null and handed_out_at is null;`,
    );
    this.addSql(`create index serials_batch_index on serials (batch_id, id);`);
    this.addSql(
      `create index serials_handed_out_index on serials (batch_id, id) where redeemed_at is null and revoked_at is null and handed_out_at is not null;`,
    );
    this.addSql(`drop index "serials_by_batch_index";`);
    this.addSql(`drop index "serials_open_by_batch_index";`);
    this.addSql(`drop index "serials_handed_out_by_batch_index";`);
  }
}
