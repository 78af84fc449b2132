import { Migration } from '@mikro-orm/migrations';

export class Migration20261123184616_webhook_leases extends Migration {
  override name = 'Migration20261123184616_webhook_leases';

  override up(): void | Promise<void> {
    this.addSql(`alter table "webhook_attempts" drop constraint "webhook_attempts_delivery_id_developer_id_foreign";`);

    this.addSql(`alter table "webhook_attempts" drop constraint "webhook_attempts_n_unique";`);
    this.addSql(`alter table "webhook_attempts" drop constraint "webhook_attempts_pkey";`);
    this.addSql(`alter table "webhook_attempts" drop column "id";`);
    this.addSql(`alter table "webhook_attempts" add primary key ("delivery_id", "developer_id", "n");`);

    this.addSql(`alter table "webhook_endpoints" add "leased_by" uuid null, add "leased_until" timestamptz(3) null;`);

    this.addSql(`drop index "webhook_deliveries_leased_index";`);
    this.addSql(`alter table "webhook_deliveries" drop constraint "webhook_deliveries_next_check";`);
    this.addSql(`alter table "webhook_deliveries" drop column "lease";`);
    this.addSql(
      `alter table "webhook_deliveries" add constraint "webhook_deliveries_next_check" check ((state = 'waiting') = (next_attempt_at is not null));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "webhook_attempts" drop constraint "webhook_attempts_pkey";`);
    this.addSql(`alter table "webhook_attempts" add "id" uuid not null default gen_random_uuid();`);
    this.addSql(`alter table "webhook_attempts" alter column "id" drop default;`);
    this.addSql(
      `alter table "webhook_attempts" add constraint "webhook_attempts_delivery_id_developer_id_foreign" foreign key ("delivery_id", "developer_id") references "webhook_deliveries" ("id", "developer_id") on delete cascade;`,
    );
    this.addSql(
      `alter table "webhook_attempts" add constraint "webhook_attempts_n_unique" unique ("delivery_id", "developer_id", "n");`,
    );
    this.addSql(`alter table "webhook_attempts" add primary key ("id", "developer_id");`);

    this.addSql(`alter table "webhook_deliveries" drop constraint "webhook_deliveries_next_check";`);
    this.addSql(`alter table "webhook_deliveries" add "lease" uuid null;`);
    this.addSql(
      `create index "webhook_deliveries_leased_index" on "webhook_deliveries" ("endpoint_id") where lease is not null;`,
    );
    this.addSql(
      `alter table "webhook_deliveries" add constraint "webhook_deliveries_next_check" check ((state = 'waiting') = (next_attempt_at is not null) and (lease is null or state = 'waiting'));`,
    );

    this.addSql(`alter table "webhook_endpoints" drop column "leased_by", drop column "leased_until";`);
  }
}
