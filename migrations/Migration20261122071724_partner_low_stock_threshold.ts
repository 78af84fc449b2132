import { Migration } from '@mikro-orm/migrations';

export class Migration20261122071724_partner_low_stock_threshold extends Migration {
  override name = 'Migration20261122071724_partner_low_stock_threshold';

  override up(): void | Promise<void> {
    this.addSql(`alter table "partner_low_stock" add "threshold" int not null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "partner_low_stock" drop column "threshold";`);
  }
}
