import { Migration } from '@mikro-orm/migrations';

export class Migration20261123183528_serials_tail extends Migration {
  override name = 'Migration20261123183528_serials_tail';

  override up(): void | Promise<void> {
    this.addSql(
      `create index serials_tail_index on serials (right(code_key, 4), developer_id) where redeemed_at is not null;`,
    );
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261123183528_serials_tail');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "serials_tail_index";`);
  }
}
