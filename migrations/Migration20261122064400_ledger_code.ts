import { Migration } from '@mikro-orm/migrations';

export class Migration20261122064400_ledger_code extends Migration {
  override name = 'Migration20261122064400_ledger_code';

  override up(): void | Promise<void> {
    this.addSql(`alter table "redemptions" add "code" text;`);
    // rows that were written before get their serial's code, once
    this.addSql(`alter table "redemptions" disable trigger "redemptions_append_only";`);
    this.addSql(
      `update "redemptions" r set "code" = s."code" from "serials" s where (s.developer_id, s.id) = (r.developer_id, r.serial_id);`,
    );
    this.addSql(`alter table "redemptions" enable trigger "redemptions_append_only";`);
    this.addSql(`alter table "redemptions" alter column "code" set not null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "redemptions" drop column "code";`);
  }
}
