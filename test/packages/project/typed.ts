// What a strict compiler must accept of the packed declarations, and what it must refuse.
import {
  type AnswerOf,
  createClient,
  type InputOf,
  type LiveEvent,
  type Product,
  TonerowError,
  verifyLicense,
  watchEvents,
} from '@tonerow/sdk';
import { nodeFetch } from '@tonerow/sdk/node';
import { createOperationClient } from '@tonerow/sdk/operations';

const client = createClient({ baseUrl: 'https://licenses.example.com', token: () => null, fetch: nodeFetch().fetch });
const byName = createOperationClient({ baseUrl: 'https://licenses.example.com' });

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
