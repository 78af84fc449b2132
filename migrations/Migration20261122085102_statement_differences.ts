import { Migration } from '@mikro-orm/migrations';

export class Migration20261122085102_statement_differences extends Migration {
  override name = 'Migration20261122085102_statement_differences';

  override up(): void | Promise<void> {
    this.addSql(`create index "payouts_difference_index" on "payouts" ("id") where difference is not null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "payouts_difference_index";`);
  }
}
