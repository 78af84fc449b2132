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

const client = createClient({ baseUrl: 'https://licenses.example.com', token: () => null, fetch: nodeFetch().fetch });

export async function typed(): Promise<string[]> {
  const input: InputOf<'createProduct'> = { body: { name: 'Prism Delay', price: 99 } };
  const product: Product = await client.createProduct(input);
  // @ts-expect-error: a price is a number
  await client.createProduct({ body: { name: 'Prism Delay', price: 'ninety-nine' } });
  // @ts-expect-error: a product is found by its id
  await client.getProduct();
  const answer: AnswerOf<'generateSerials'> = await client.generateSerials({ body: { product_id: product.id } });
  const names: string[] = [];
  for await (const each of client.paginate.listProducts()) names.push(each.name);
  for await (const event of watchEvents(client, { signal: new AbortController().signal })) names.push(kindOf(event));
  const verdict = await verifyLicense('token', { keys: [] }, { productId: product.id, machineId: 'machine' });
  if (!verdict.valid) names.push(verdict.reason);
  try {
    await client.withResponse.getMe();
  } catch (error) {
    if (error instanceof TonerowError) names.push(error.code ?? error.message, answer.batch_id ?? '');
  }
  return names;
}

function kindOf(event: LiveEvent): string {
  return event.type;
}
