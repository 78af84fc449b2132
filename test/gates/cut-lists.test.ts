import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  additionalProperties?: Schema | boolean;
}
interface Operation {
  operationId: string;
  parameters?: { name: string }[];
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}
const contract = JSON.parse(readFileSync('packages/sdk/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
const operations = Object.values(contract.paths).flatMap((methods) => Object.values(methods));

/** The rest of each list that is cut: the operation that pages it, or the reason why nobody needs it. */
const rest: Record<string, { operation: string } | { why: string }> = {
  'CustomerDetail.activity': { operation: 'listCustomerActivity' },
  'CustomerDetail.machines': { operation: 'listSerialMachines' },
  'CustomerDetail.serials': { operation: 'listRedeemedSerials' },
  'ImportAnswer.warnings': { why: 'the report has all of them as a file' },
  'ImportChanges.rows': { why: 'they show how a correction is read; the counts name all' },
  'ImportPlan.rows': { why: 'they show how lines are read; those that are refused are in the report' },
  'InvitePreview.products': { why: 'enough to decide; whoever accepts sees all of them' },
  'MachineAnalytics.systems': { why: 'a ranking' },
  'MachineAnalytics.versions': { why: 'a ranking' },
  'PartnerDeveloperProfile.history': { why: 'history_total says how many there are; terms change a few times a year' },
  'PartnerDeveloperProfile.products': { operation: 'listResellerProducts' },
  'PayoutDetail.messages': { why: 'more than 200 about one statement are no conversation' },
  'PayoutDetail.payments': { why: 'more than 200 for one statement are no payments' },
  'PayoutDetail.transactions': { operation: 'getPayout' },
  'ProductOverview.versions': { why: 'a ranking' },
  'ResellerProductDetail.available': { operation: 'listResellerAvailableSerials' },
  'ResellerProductDetail.redeemed': { operation: 'listResellerRedeemedSerials' },
  'ResellerProfile.history': { why: 'history_total says how many there are; terms change a few times a year' },
  'SalesDashboard.serialGroups': { operation: 'listResellerProducts' },
  'SerialDetail.history': { operation: 'listSerialHistory' },
  'SerialDetail.machines': { operation: 'listSerialMachines' },
  'SerialDetail.refunds': { operation: 'listSerialHistory' },
  'ShopDeliveryPage.rows': { operation: 'listShopDeliveries' },
  'ShopOrder.deliveries': { why: 'more than 100 about one order repeat what came before' },
  'Standing.also': { why: 'the weightiest, of which each has to be dealt with first' },
  'StockDownload.batches': { why: 'the file itself names the batch of each code' },
  'VersionReport.systems': { why: 'a ranking' },
  'VersionReport.versions': { why: 'a ranking' },
  'Views.views': { why: 'there are never more' },
  'WebhookDeliveryDetail.history': { why: 'a delivery is tried ten times, and then by hand' },
};

const isCut = ({ description = '' }: Schema) =>
  /\b(?:at most|newest|first|the \d+ (?:seen )?most)\b[^.]*?\b\d{2,}|\b\d{2,} (?:seen )?most/i.test(description);

function cutIn(schema: Schema, owner: string): string[] {
  const { properties = {}, items, anyOf = [], oneOf = [], additionalProperties } = schema;
  const inner = [...anyOf, ...oneOf, ...(items ? [items] : [])];
  if (typeof additionalProperties === 'object') inner.push(additionalProperties);
  return [
    ...Object.entries(properties).flatMap(([name, each]) => [
      ...(each.type === 'array' && isCut(each) ? [`${owner}.${name}`] : []),
      ...cutIn(each, owner),
    ]),
    ...inner.flatMap((each) => cutIn(each, owner)),
  ];
}

it('a list that is cut has a page for its rest, or a reason why nobody needs it', () => {
  const answers = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses)
      .filter(([status]) => status < '300')
      .flatMap(([, { content = {} }]) => Object.values(content))
      .flatMap(({ schema }) => (schema ? cutIn(schema, operationId) : [])),
  );
  // inputs have limits of their own
  const shown = Object.entries(contract.components.schemas).filter(([name]) => !name.endsWith('Input'));
  const named = shown.flatMap(([name, schema]) => cutIn(schema, name));
  const cut = [...new Set([...named, ...answers])].sort();
  expect(cut).toEqual(Object.keys(rest));
  for (const each of Object.values(rest)) {
    if (!('operation' in each)) continue;
    const found = operations.find(({ operationId }) => operationId === each.operation);
    const pages = (found?.parameters ?? []).some(({ name }) => name === 'cursor' || name === 'page');
    expect([each.operation, pages]).toEqual([each.operation, true]);
  }
});
