import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';

interface Schema {
  $ref?: string;
  type?: unknown;
  maximum?: number;
  properties?: Record<string, Schema>;
}
interface Operation {
  operationId: string;
  description?: string;
  parameters?: { name: string; in: string; schema: Schema }[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

/** Each of their rows is added up from many. */
const FEWER: Record<string, number> = { getBatchReport: 50, listBalances: 500 };
/** Their totals come with the sums of all rows, which are made for every page anyway. */
const SUMMED = ['listBalances', 'listInvoices', 'listCommissionHistory', 'getPartnerStock', 'getResellerStock'];

/** Lists from before the rule: an array with the cursor in a header, or rows of another name. */
const OLDER = [
  ...['listProducts', 'listProductUnlocks', 'listPublishedUnlocks', 'listFiles', 'listImports', 'listCustomers'],
  ...['listResellers', 'listConnectedResellers', 'listResellerInvites', 'getResellerStock', 'listCommissionHistory'],
  ...['listPartners', 'listDeveloperInvites', 'getPartnerStock', 'getPayout', 'getDeveloperPayout'],
];

async function lists() {
  const file = path.join(import.meta.dirname, '../../../sdk/openapi.json');
  const contract = JSON.parse(await readFile(file, 'utf8'));
  const operations = Object.values(contract.paths).flatMap((methods) =>
    Object.values(methods as object),
  ) as Operation[];
  return operations
    .filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'cursor'))
    .map((operation) => {
      const schema = operation.responses['200']?.content?.['application/json']?.schema ?? {};
      const answer: Schema = schema.$ref
        ? contract.components.schemas[schema.$ref.split('/').at(-1) as string]
        : schema;
      return { ...operation, answer };
    });
}

it('answers every list as rows with the cursor of the next ones, but the older lists', async () => {
  const others = (await lists()).filter(
    ({ answer: { properties = {} } }) => !properties.rows || !properties.next_cursor,
  );
  expect(others.map(({ operationId }) => operationId).sort()).toEqual(OLDER.sort());
});

it('lets every list be read to its end in large pages, and without counting it on each', async () => {
  const all = await lists();
  expect(all.length).toBeGreaterThan(45);
  for (const { operationId, description = '', parameters = [], answer } of all) {
    const of = (wanted: string) => parameters.find(({ name }) => name === wanted)?.schema;
    expect(of('limit')?.maximum, operationId).toBe(FEWER[operationId] ?? 1000);
    const tells = answer.properties?.total !== undefined || description.includes('X-Total-Count');
    expect([operationId, of('count') !== undefined]).toEqual([operationId, tells && !SUMMED.includes(operationId)]);
  }
});
