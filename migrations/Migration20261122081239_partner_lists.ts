import { Migration } from '@mikro-orm/migrations';

export class Migration20261122081239_partner_lists extends Migration {
  override name = 'Migration20261122081239_partner_lists';

  override up(): void | Promise<void> {
    this.addSql(`drop index "redemptions_partner_time_index";`);
    this.addSql(
      `create index redemptions_partner_list_index on redemptions (partnership_id, developer_id, redeemed_at, id) where partnership_id is not null;`,
    );

    this.addSql(`drop index "ledger_adjustments_partnership_index";`);
    this.addSql(
      `create index ledger_adjustments_partner_list_index on ledger_adjustments (partnership_id, developer_id, created_at, id);`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "ledger_adjustments_partner_list_index";`);
    this.addSql(
      `create index ledger_adjustments_partnership_index on ledger_adjustments (partnership_id, created_at, id);`,
    );

    this.addSql(`drop index "redemptions_partner_list_index";`);
    this.addSql(
      `create index redemptions_partner_time_index on redemptions (partnership_id, redeemed_at, id) where partnership_id is not null;`,
    );
  }
}
