import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, it } from 'vitest';
import { eventTypes } from './catalog.ts';
import { webhookContract } from './contract.ts';
import { bodyOf } from './event-body.ts';
import { partsOf } from './record.ts';
import { samples } from './samples.ts';

type Type = (typeof eventTypes)[number];
const occurred_at = new Date('2026-03-10T12:00:00.007Z');
/** As it is recorded, read and sent. */
const sent = (type: Type, { personal = true, codes = true, is_test = false } = {}) => {
  const parts = partsOf(samples[type]);
  const event = { type, occurred_at, data: parts.shown, personal: parts.personal, is_test };
  return bodyOf(event, { include_personal: personal, include_codes: codes });
};

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

/** The same, without fields that it does not name. */
function closed(schema: Schema): Schema {
  const { properties, items, anyOf } = schema;
  const inner = (of: Record<string, Schema>) =>
    Object.fromEntries(Object.entries(of).map(([name, each]) => [name, closed(each)]));
  return {
    ...schema,
    ...(properties ? { properties: inner(properties), additionalProperties: false } : {}),
    ...(items ? { items: closed(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(closed) } : {}),
  };
}

/** An event's schema in the contract. */
function schemaOf(type: Type): Schema {
  const { post } = webhookContract()[type] as {
    post: { requestBody: { content: Record<string, { schema: Schema }> } };
  };
  return post.requestBody.content['application/json']?.schema as Schema;
}

const ajv = new Ajv2020({ allErrors: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);

it.each(eventTypes)('the body of an event matches the contract, and has no other field: %s', (type) => {
  const validate = ajv.compile(closed(schemaOf(type)));
  for (const [personal, codes] of [
    [true, true],
    [false, true],
    [false, false],
  ])
    for (const is_test of [true, false]) {
      const body = JSON.parse(sent(type, { personal, codes, is_test }));
      if (!codes) expect(body.data).not.toHaveProperty('code');
      expect([validate(body), validate.errors]).toEqual([true, null]);
      expect([validate({ ...body, more: 1 }), validate({ ...body, data: { ...body.data, more: 1 } })]).toEqual([
        false,
        false,
      ]);
    }
});

it('the body of each event has the very bytes that receivers have always got', () => {
  expect(eventTypes.map((type) => sent(type)).join('\n')).toMatchInlineSnapshot(`
    "{"type":"batch.generated","timestamp":"2026-03-10T12:00:00.007Z","data":{"batch_id":"01930000-0000-7000-8000-000000000003","product_id":"01930000-0000-7000-8000-000000000002","partnership_id":null,"quantity":100,"batch_tag":"spring"}}
    {"type":"batch.revoked","timestamp":"2026-03-10T12:00:00.007Z","data":{"batch_id":"01930000-0000-7000-8000-000000000003","product_id":"01930000-0000-7000-8000-000000000002","quantity":88}}
    {"type":"batch.reassigned","timestamp":"2026-03-10T12:00:00.007Z","data":{"batch_id":"01930000-0000-7000-8000-000000000003","product_id":"01930000-0000-7000-8000-000000000002","quantity":88}}
    {"type":"serial.redeemed","timestamp":"2026-03-10T12:00:00.007Z","data":{"serial_id":"01930000-0000-7000-8000-000000000001","code":"PRSM-7K2M-Q9XD-3F6T","product_id":"01930000-0000-7000-8000-000000000002","developer_id":"01930000-0000-7000-8000-000000000006","customer_id":"01930000-0000-7000-8000-000000000004","partnership_id":null,"product_name":"Prism Delay","source":"redeem","price":49,"commission":0,"redeemed_at":"2026-03-10T12:00:00.000Z","email":"nina@example.com","first_name":"Nina","last_name":"Simone"}}
    {"type":"serial.revoked","timestamp":"2026-03-10T12:00:00.007Z","data":{"serial_id":"01930000-0000-7000-8000-000000000001","code":"PRSM-7K2M-Q9XD-3F6T","product_id":"01930000-0000-7000-8000-000000000002","revoked_at":"2026-03-10T12:00:00.000Z"}}
    {"type":"serial.reassigned","timestamp":"2026-03-10T12:00:00.007Z","data":{"serial_id":"01930000-0000-7000-8000-000000000001","code":"PRSM-7K2M-Q9XD-3F6T","product_id":"01930000-0000-7000-8000-000000000002","reassigned_at":"2026-03-10T12:00:00.000Z"}}
    {"type":"serial.refreshed","timestamp":"2026-03-10T12:00:00.007Z","data":{"serial_id":"01930000-0000-7000-8000-000000000001","code":"PRSM-7K2M-Q9XD-3F6T","product_id":"01930000-0000-7000-8000-000000000002","cost":0,"refreshed_at":"2026-03-10T12:00:00.000Z"}}
    {"type":"import.finished","timestamp":"2026-03-10T12:00:00.007Z","data":{"import_id":"01930000-0000-7000-8000-000000000009","kind":"available","state":"complete","added":480,"rejected":2}}
    {"type":"stock.low","timestamp":"2026-03-10T12:00:00.007Z","data":{"product_id":"01930000-0000-7000-8000-000000000002","developer_id":"01930000-0000-7000-8000-000000000006","partnership_id":null,"product_name":"Prism Delay","available":9,"threshold":10}}
    {"type":"license.activated","timestamp":"2026-03-10T12:00:00.007Z","data":{"serial_id":"01930000-0000-7000-8000-000000000001","product_id":"01930000-0000-7000-8000-000000000002","machine":"a41f","version":"1.4.2"}}
    {"type":"license.deactivated","timestamp":"2026-03-10T12:00:00.007Z","data":{"serial_id":"01930000-0000-7000-8000-000000000001","product_id":"01930000-0000-7000-8000-000000000002","machine":"a41f"}}
    {"type":"license.transferred","timestamp":"2026-03-10T12:00:00.007Z","data":{"serial_id":"01930000-0000-7000-8000-000000000001","product_id":"01930000-0000-7000-8000-000000000002","machine":"a41f","from_machine":"09be"}}
    {"type":"trial.started","timestamp":"2026-03-10T12:00:00.007Z","data":{"product_id":"01930000-0000-7000-8000-000000000002","machine":"a41f","ends_at":"2026-03-10T12:00:00.000Z"}}
    {"type":"license.refused","timestamp":"2026-03-10T12:00:00.007Z","data":{"count":14,"from":"2026-03-10T12:00:00.000Z","refusals":[{"serial_id":"01930000-0000-7000-8000-000000000001","product_id":"01930000-0000-7000-8000-000000000002","action":"activate","status":"seat_limit","count":12},{"serial_id":null,"product_id":"01930000-0000-7000-8000-000000000002","action":"trial","status":"trial_ended","count":2}]}}
    {"type":"lease.ended","timestamp":"2026-03-10T12:00:00.007Z","data":{"serial_id":"01930000-0000-7000-8000-000000000001","product_id":"01930000-0000-7000-8000-000000000002","machine":"a41f","ended_at":"2026-03-10T12:00:00.000Z"}}
    {"type":"customer.created","timestamp":"2026-03-10T12:00:00.007Z","data":{"customer_id":"01930000-0000-7000-8000-000000000004","email":"nina@example.com","first_name":"Nina","last_name":"Simone"}}
    {"type":"customer.erased","timestamp":"2026-03-10T12:00:00.007Z","data":{"customer_id":"01930000-0000-7000-8000-000000000004"}}
    {"type":"product.published","timestamp":"2026-03-10T12:00:00.007Z","data":{"product_id":"01930000-0000-7000-8000-000000000002","name":"Prism Delay"}}
    {"type":"product.unlocked","timestamp":"2026-03-10T12:00:00.007Z","data":{"product_id":"01930000-0000-7000-8000-000000000002","name":"Prism Delay","audience":"owners","url":"https://tonerow.example.com/api/redeem/unlocks/01930000-0000-7000-8000-000000000013"}}
    {"type":"file.uploaded","timestamp":"2026-03-10T12:00:00.007Z","data":{"file_id":"01930000-0000-7000-8000-000000000010","name":"PrismDelay-1.4.2.pkg","size":48120331}}
    {"type":"partnership.accepted","timestamp":"2026-03-10T12:00:00.007Z","data":{"partnership_id":"01930000-0000-7000-8000-000000000005","developer_id":"01930000-0000-7000-8000-000000000006","reseller_id":"01930000-0000-7000-8000-000000000007"}}
    {"type":"partnership.ended","timestamp":"2026-03-10T12:00:00.007Z","data":{"partnership_id":"01930000-0000-7000-8000-000000000005","developer_id":"01930000-0000-7000-8000-000000000006","reseller_id":"01930000-0000-7000-8000-000000000007"}}
    {"type":"deal.requested","timestamp":"2026-03-10T12:00:00.007Z","data":{"request_id":"01930000-0000-7000-8000-000000000011","product_id":"01930000-0000-7000-8000-000000000002","partnership_id":"01930000-0000-7000-8000-000000000005","developer_id":"01930000-0000-7000-8000-000000000006","quantity":50,"price":39}}
    {"type":"payout.created","timestamp":"2026-03-10T12:00:00.007Z","data":{"payout_id":"01930000-0000-7000-8000-000000000008","number":"2026-0007","developer_id":"01930000-0000-7000-8000-000000000006","partnership_id":"01930000-0000-7000-8000-000000000005","month":"2026-02-01","due":343}}
    {"type":"payout.confirmed","timestamp":"2026-03-10T12:00:00.007Z","data":{"payout_id":"01930000-0000-7000-8000-000000000008","number":"2026-0007","developer_id":"01930000-0000-7000-8000-000000000006","partnership_id":"01930000-0000-7000-8000-000000000005","month":"2026-02-01","due":343}}
    {"type":"payout.paid","timestamp":"2026-03-10T12:00:00.007Z","data":{"payout_id":"01930000-0000-7000-8000-000000000008","number":"2026-0007","developer_id":"01930000-0000-7000-8000-000000000006","partnership_id":"01930000-0000-7000-8000-000000000005","month":"2026-02-01","due":343,"amount":343,"outstanding":0}}
    {"type":"plan.usage","timestamp":"2026-03-10T12:00:00.007Z","data":{"plan":"starter","month":"2026-03-01","percent":80,"redemptions":400,"redemption_quota":500}}
    {"type":"order.received","timestamp":"2026-03-10T12:00:00.007Z","data":{"order_id":"01930000-0000-7000-8000-000000000011","shop_id":"01930000-0000-7000-8000-000000000012","number":"#1001","state":"paid","currency":"EUR","paid":"98.00","paid_usd":106.35,"serials":0,"missing":2,"reasons":[],"test":false,"email":"nina@example.com","first_name":"Nina","last_name":"Simone"}}
    {"type":"order.issued","timestamp":"2026-03-10T12:00:00.007Z","data":{"order_id":"01930000-0000-7000-8000-000000000011","shop_id":"01930000-0000-7000-8000-000000000012","number":"#1001","state":"issued","currency":"EUR","paid":"98.00","paid_usd":106.35,"serials":2,"missing":0,"reasons":[],"test":false,"email":"nina@example.com","first_name":"Nina","last_name":"Simone"}}
    {"type":"order.attention","timestamp":"2026-03-10T12:00:00.007Z","data":{"order_id":"01930000-0000-7000-8000-000000000011","shop_id":"01930000-0000-7000-8000-000000000012","number":"#1001","state":"attention","currency":"EUR","paid":"98.00","paid_usd":106.35,"serials":0,"missing":0,"reasons":["unmapped"],"test":false,"email":"nina@example.com","first_name":"Nina","last_name":"Simone"}}
    {"type":"order.refunded","timestamp":"2026-03-10T12:00:00.007Z","data":{"order_id":"01930000-0000-7000-8000-000000000011","shop_id":"01930000-0000-7000-8000-000000000012","number":"#1001","state":"refunded","currency":"EUR","paid":"98.00","paid_usd":106.35,"serials":0,"missing":0,"reasons":[],"test":false,"email":"nina@example.com","first_name":"Nina","last_name":"Simone"}}
    {"type":"key.rotated","timestamp":"2026-03-10T12:00:00.007Z","data":{"key_id":"01930000-0000-7000-8000-000000000012","successor_id":"01930000-0000-7000-8000-000000000013","label":"Prism Delay 1.x","expires_at":"2026-03-10T12:00:00.000Z"}}
    {"type":"webhook.test","timestamp":"2026-03-10T12:00:00.007Z","data":{"endpoint_id":null,"message":"It works."}}"
  `);
});

it('the body leaves out personal data that was not asked for, and marks what was sent by hand', () => {
  const bodies = [
    sent('customer.created', { personal: false }),
    sent('serial.redeemed', { personal: false }),
    sent('webhook.test', { is_test: true }),
    sent('customer.created', { is_test: true }),
  ];
  expect(bodies.join('\n')).toMatchInlineSnapshot(`
    "{"type":"customer.created","timestamp":"2026-03-10T12:00:00.007Z","data":{"customer_id":"01930000-0000-7000-8000-000000000004"}}
    {"type":"serial.redeemed","timestamp":"2026-03-10T12:00:00.007Z","data":{"serial_id":"01930000-0000-7000-8000-000000000001","code":"PRSM-7K2M-Q9XD-3F6T","product_id":"01930000-0000-7000-8000-000000000002","developer_id":"01930000-0000-7000-8000-000000000006","customer_id":"01930000-0000-7000-8000-000000000004","partnership_id":null,"product_name":"Prism Delay","source":"redeem","price":49,"commission":0,"redeemed_at":"2026-03-10T12:00:00.000Z"}}
    {"type":"webhook.test","timestamp":"2026-03-10T12:00:00.007Z","test":true,"data":{"endpoint_id":null,"message":"It works."}}
    {"type":"customer.created","timestamp":"2026-03-10T12:00:00.007Z","test":true,"data":{"customer_id":"01930000-0000-7000-8000-000000000004","email":"nina@example.com","first_name":"Nina","last_name":"Simone"}}"
  `);
});
