import { Migration } from '@mikro-orm/migrations';

export class Migration20261122134303_merged_partnerships extends Migration {
  override name = 'Migration20261122134303_merged_partnerships';

  override up(): void | Promise<void> {
    this.addSql(`alter table "partnerships" drop constraint "partnerships_status_check";`);
    this.addSql(`alter table "partnerships" add "merged_into" uuid null;`);
    this.addSql(
      `alter table "partnerships" add constraint "partnerships_merged_into_developer_id_foreign" foreign key ("merged_into", "developer_id") references "partnerships" ("id", "developer_id") on update no action on delete no action;`,
    );
    this.addSql(`drop index "partnerships_pair_unique";`);
    this.addSql(
      `create unique index partnerships_pair_unique on partnerships (reseller_id, developer_id) where status not in ('ended', 'merged');`,
    );
    this.addSql(
      `create index partnerships_merged_index on partnerships (merged_into, developer_id, id) where merged_into is not null;`,
    );
    this.addSql(
      `alter table "partnerships" add constraint "partnerships_merged_check" check ((status = 'merged') = (merged_into is not null) and merged_into <> id);`,
    );
    this.addSql(
      `alter table "partnerships" add constraint "partnerships_status_check" check (status in ('named', 'active', 'paused', 'ended', 'merged'));`,
    );

    this.addSql(`alter table "partnership_events" drop constraint "partnership_events_kind_check";`);
    this.addSql(
      `alter table "partnership_events" add constraint "partnership_events_kind_check" check (kind in ('invited', 'accepted', 'claimed', 'rate_changed', 'paused', 'resumed', 'ended', 'merged'));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "partnerships" drop constraint "partnerships_merged_into_developer_id_foreign";`);

    this.addSql(`alter table "partnership_events" drop constraint "partnership_events_kind_check";`);
    this.addSql(
      `alter table "partnership_events" add constraint "partnership_events_kind_check" check (kind in ('invited', 'accepted', 'claimed', 'rate_changed', 'paused', 'resumed', 'ended'));`,
    );

    this.addSql(`drop index "partnerships_pair_unique";`);
    this.addSql(
      `create unique index "partnerships_pair_unique" on "partnerships" ("reseller_id", "developer_id") where status <> 'ended';`,
    );
    this.addSql(`drop index "partnerships_merged_index";`);
    this.addSql(`alter table "partnerships" drop constraint "partnerships_merged_check";`);
    this.addSql(`alter table "partnerships" drop constraint "partnerships_status_check";`);
    this.addSql(`alter table "partnerships" drop column "merged_into";`);
    this.addSql(
      `alter table "partnerships" add constraint "partnerships_status_check" check (status in ('named', 'active', 'paused', 'ended'));`,
    );
  }
}
