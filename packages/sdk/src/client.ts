import { callsOf } from './calls.ts';
import type { Resources } from './generated/resources.gen.ts';
import { byResource, type ResourceIterators, type ResourceStreams, type WholeResources } from './resources.ts';
import type { ClientOptions } from './transport.ts';

export type Client = Resources & {
  /** The same calls with the response beside the data. */
  withResponse: WholeResources;
  /** The same calls, returning the unread response: for CSV and NDJSON of any length. */
  stream: ResourceStreams;
  /** The lists, row by row over all pages. */
  paginate: ResourceIterators;
};

/**
 * A client for one server and one credential. Nothing is shared between clients.
 *
 * A method takes the values of its path, then the body, the query and the headers that the operation has, and last the
 * options of the call.
 * @example
 * const client = createClient(); // by TONEROW_URL and TONEROW_TOKEN, or { baseUrl, token }
 * const product = await client.products.create({ name: 'Prism Delay', price: 99 });
 * for await (const serial of client.paginate.serials.list({ product_id: product.id })) console.log(serial.code);
 */
export function createClient(options: ClientOptions = {}): Client {
  return byNoun(callsOf(options));
}

/** @internal */
export function byNoun({ data, withResponse, stream, paginate }: ReturnType<typeof callsOf>): Client {
  return {
    ...byResource(data),
    withResponse: byResource(withResponse),
    stream: byResource(stream),
    paginate: byResource(paginate),
  } as unknown as Client;
}
