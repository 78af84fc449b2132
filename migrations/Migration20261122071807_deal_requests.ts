import { Migration } from '@mikro-orm/migrations';

export class Migration20261122071807_deal_requests extends Migration {
  override name = 'Migration20261122071807_deal_requests';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "deal_requests" ("developer_id" uuid not null, "id" uuid not null, "partnership_id" uuid not null, "product_id" uuid not null, "product_name" text not null, "price_cents" int not null, "promo_start" timestamptz(3) null, "promo_expires" timestamptz(3) null, "expires_at" timestamptz(3) null, "quantity" int not null, "note" text null, "status" varchar(255) not null, "answer" text null, "batch_id" uuid null, "created_at" timestamptz(3) not null, "answered_at" timestamptz(3) null, "seen_at" timestamptz(3) null, primary key ("developer_id", "id"));`,
    );
    this.addSql(
      `create index "deal_requests_list_index" on "deal_requests" ("developer_id", "id") where created_at > '-infinity';`,
    );
    this.addSql(`create index deal_requests_partnership_index on deal_requests (partnership_id, id);`);
    this.addSql(
      `create index deal_requests_pending_index on deal_requests (partnership_id, id) where status = 'pending';`,
    );
    this.addSql(
      `create index deal_requests_unseen_index on deal_requests (partnership_id, id) where status in ('accepted', 'declined') and seen_at is null;`,
    );

    this.addSql(
      `alter table "deal_requests" add constraint "deal_requests_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(
      `alter table "deal_requests" add constraint "deal_requests_partnership_id_developer_id_foreign" foreign key ("partnership_id", "developer_id") references "partnerships" ("id", "developer_id") on update no action;`,
    );
    this.addSql(
      `alter table "deal_requests" add constraint "deal_requests_status_check" check (status in ('pending', 'accepted', 'declined', 'withdrawn'));`,
    );
    this.addSql(
      `alter table "deal_requests" add constraint "deal_requests_answered_check" check ((status = 'pending') = (answered_at is null));`,
    );
    this.addSql(
      `alter table "deal_requests" add constraint "deal_requests_batch_check" check ((status = 'accepted') = (batch_id is not null));`,
    );
    this.addSql(
      `alter table "deal_requests" add constraint "deal_requests_terms_check" check (price_cents >= 0 and quantity > 0);`,
    );

    // older processes don't know the table, and leave it alone
    this.addSql(`insert into "rolling_migrations" ("name") values ('Migration20261122071807_deal_requests');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "deal_requests" cascade;`);
  }
}
