import { Migration } from '@mikro-orm/migrations';

export class Migration20261122170857_refusals_by_serial extends Migration {
  override name = 'Migration20261122170857_refusals_by_serial';

  override up(): void | Promise<void> {
    this.addSql(
      `create index license_refusals_serial_index on license_refusals (serial_id, at) where serial_id is not null;`,
    );
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261122170857_refusals_by_serial');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "license_refusals_serial_index";`);
  }
}
