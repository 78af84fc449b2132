import { callsOf } from './calls.ts';
import { byNoun, type Client } from './client.ts';
import type { Iterators, Methods, StreamMethods, WholeMethods } from './operations.ts';
import type { ClientOptions } from './transport.ts';

/** A {@link Client} that has every operation by its name in the contract as well, with all its input in one object. */
export type OperationClient = Client &
  Methods & { withResponse: WholeMethods; stream: StreamMethods; paginate: Iterators };

/**
 * A client for programs that choose operations by their names in `openapi.json`. All others use `createClient`.
 * @example
 * const client = createOperationClient({ baseUrl, token });
 * await client.updateProduct({ path: { id: productId }, body: { price: 79 } });
 */
export function createOperationClient(options: ClientOptions = {}): OperationClient {
  const calls = callsOf(options);
  const client = byNoun(calls);
  return {
    ...calls.data,
    ...client,
    withResponse: { ...calls.withResponse, ...client.withResponse },
    stream: { ...calls.stream, ...client.stream },
    paginate: { ...calls.paginate, ...client.paginate },
  } as unknown as OperationClient;
}
