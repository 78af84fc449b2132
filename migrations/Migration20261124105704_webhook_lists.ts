import { Migration } from '@mikro-orm/migrations';

export class Migration20261124105704_webhook_lists extends Migration {
  override name = 'Migration20261124105704_webhook_lists';

  override up(): void | Promise<void> {
    this.addSql(`alter table "webhook_deliveries" add "type" text null;`);
    this.addSql(
      `update "webhook_deliveries" d set "type" = e."type" from "webhook_events" e where (e.developer_id, e.id) = (d.developer_id, d.event_id);`,
    );
    this.addSql(`alter table "webhook_deliveries" alter column "type" set not null;`);
    this.addSql(
      `create index "webhook_deliveries_undelivered_index" on "webhook_deliveries" ("endpoint_id", "id") where state in ('failed', 'skipped');`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "webhook_deliveries_undelivered_index";`);
    this.addSql(`alter table "webhook_deliveries" drop column "type";`);
  }
}
