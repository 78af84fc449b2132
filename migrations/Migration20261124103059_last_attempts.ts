import { Migration } from '@mikro-orm/migrations';

export class Migration20261124103059_last_attempts extends Migration {
  override name = 'Migration20261124103059_last_attempts';

  override up(): void | Promise<void> {
    this.addSql(`alter table "webhook_deliveries" drop constraint "webhook_deliveries_event_id_developer_id_foreign";`);

    this.addSql(`alter table "webhook_events" drop constraint "webhook_events_developer_id_foreign";`);

    this.addSql(`alter table "webhook_attempts" rename column "request_headers" to "signature";`);
    this.addSql(`update "webhook_attempts" set "signature" = coalesce("signature"::json ->> 'webhook-signature', '');`);

    this.addSql(
      `alter table "webhook_deliveries" add "last_trigger" varchar(255) null, add "last_duration_ms" int null, add "signature" text null, add "response_headers" text null, add "response_text" text null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "webhook_attempts" rename column "signature" to "request_headers";`);
    this.addSql(
      `insert into "webhook_attempts" (developer_id, delivery_id, n, trigger, started_at, duration_ms, status, error, request_headers, response_headers, response_text) select developer_id, id, attempts, last_trigger, last_attempt_at, last_duration_ms, last_status, last_error, signature, response_headers, response_text from "webhook_deliveries" where last_trigger is not null;`,
    );
    this.addSql(
      `update "webhook_attempts" a set request_headers = json_build_object('content-type', 'application/json', 'user-agent', 'Tonerow-Webhooks/1', 'webhook-id', d.event_id, 'webhook-timestamp', floor(extract(epoch from a.started_at))::text, 'webhook-signature', a.request_headers)::text from "webhook_deliveries" d where (d.developer_id, d.id) = (a.developer_id, a.delivery_id);`,
    );

    this.addSql(
      `alter table "webhook_deliveries" drop column "last_trigger", drop column "last_duration_ms", drop column "signature", drop column "response_headers", drop column "response_text";`,
    );
    this.addSql(
      `alter table "webhook_deliveries" add constraint "webhook_deliveries_event_id_developer_id_foreign" foreign key ("event_id", "developer_id") references "webhook_events" ("id", "developer_id") on delete cascade;`,
    );

    this.addSql(
      `alter table "webhook_events" add constraint "webhook_events_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
  }
}
