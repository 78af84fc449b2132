// A strict compiler must accept some uses of the packed declarations, and must refuse others.
import {
  type AnswerOf,
  createClient,
  type InputOf,
  type LiveEvent,
  type Product,
  signForTest,
  TonerowError,
  verifyLicense,
  verifyWebhook,
  type WebhookPayloadOf,
  watchEvents,
} from '@tonerow/sdk';
import { nodeFetch } from '@tonerow/sdk/node';
import { createOperationClient } from '@tonerow/sdk/operations';

const client = createClient({ baseUrl: 'https://licenses.example.com', token: () => null, fetch: nodeFetch().fetch });
const byName = createOperationClient({ token: async () => 'token', userAgent: 'typed/1' });

export async function typed(): Promise<string[]> {
  const product: Product = await client.products.create({ name: 'Prism Delay', price: 99 });
  const input: InputOf<'updateProduct'> = { path: { id: product.id }, body: { price: 79 } };
  await byName.updateProduct(input);
  // @ts-expect-error: by their names only where a program asks for that
  await client.updateProduct(input);
  // @ts-expect-error: a price is a number
  await client.products.create({ name: 'Prism Delay', price: 'ninety-nine' });
  // @ts-expect-error: only lists have pages
  client.paginate.products.create;
  // @ts-expect-error: a product is found by its id
  await client.products.get();
  const answer: AnswerOf<'generateSerials'> = await client.serials.generate({ product_id: product.id });
  const names: string[] = [];
  for await (const each of client.paginate.products.list({ limit: 100 })) names.push(each.name);
  for await (const event of watchEvents(client, { signal: new AbortController().signal })) names.push(kindOf(event));
  const verdict = await verifyLicense('token', { keys: [] }, { productId: product.id, machineId: 'machine' });
  if (!verdict.valid) names.push(verdict.reason);
  names.push(...(await client.paginate.products.list().autoPagingToArray({ limit: 5 })).map(({ name }) => name));
  const page = await client.paginate.serials.list({ state: 'redeemed' }).page();
  for (const { code } of (await client.paginate.serials.list({ ...page.next }).page()).rows) names.push(code);
  const sent: WebhookPayloadOf<'key.rotated'> = {
    type: 'key.rotated',
    timestamp: '2026-03-10T12:00:00Z',
    data: { key_id: 'k', successor_id: 's', label: 'Prism Delay 2', expires_at: '2026-04-10T12:00:00Z' },
  };
  const { body, headers } = await signForTest(sent, 'whsec_');
  const received = await verifyWebhook(body, headers, 'whsec_');
  if (received.valid && received.event.type === 'serial.redeemed') names.push(received.event.data.product_name);
  // @ts-expect-error: that is not in every event
  if (received.valid) names.push(received.event.data.product_name);
  try {
    const { requestId = '' } = await client.withResponse.auth.me();
    names.push(requestId, await (await client.stream.customers.export()).text());
  } catch (error) {
    if (error instanceof TonerowError) names.push(error.code ?? error.message, answer.batch_id ?? '');
  }
  return names;
}

function kindOf(event: LiveEvent): string {
  return event.type;
}
