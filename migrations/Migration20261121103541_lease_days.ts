import { Migration } from '@mikro-orm/migrations';

export class Migration20261121103541_lease_days extends Migration {
  override name = 'Migration20261121103541_lease_days';

  override up(): void | Promise<void> {
    this.addSql(`alter table "products" drop constraint "products_limits_check";`);
    this.addSql(`alter table "products" add "lease_days" int not null default 90;`);
    this.addSql(
      `alter table "products" add constraint "products_limits_check" check (max_activations >= 1 and offline_days >= 1 and lease_days >= 1 and trial_days >= 0);`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "products" drop constraint "products_limits_check";`);
    this.addSql(`alter table "products" drop column "lease_days";`);
    this.addSql(
      `alter table "products" add constraint "products_limits_check" check ((max_activations >= 1) AND (offline_days >= 1) AND (trial_days >= 0));`,
    );
  }
}
