import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Egress } from '#platform/egress/egress.ts';
import { openApi, ShopAway } from './api.ts';
import { connectors } from './index.ts';
import type { ApiConnector } from './port.ts';

// A shop whose API takes every request and answers none, or begins to and stops.
const slow = createServer((request, response) => {
  if (request.url?.includes('begins'))
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"data": [');
});
const egress = new Egress({ allow: ['127.0.0.0/8'] });
let apiBase: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  apiBase = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
});
afterAll(() => {
  egress.close();
  slow.closeAllConnections();
  slow.close();
});

it.each(['never answers', 'begins to answer'])(
  'gives up an API that %s when the time of the whole work is over, to try it again',
  async (how) => {
    const connector = connectors.stripe.api as ApiConnector;
    const api = openApi({
      egress,
      apiBase,
      kind: 'stripe',
      connector,
      credentials: { key: 'k' },
      mode: 'live',
      ms: 200,
      most: 10,
    });
    const path = `/${how.split(' ')[0]}`;
    await expect(api.ask(path)).rejects.toThrow(new ShopAway('The shop’s API can’t be used: it takes too long.'));
    // nothing of the work has any time left
    await expect(api.ask(path)).rejects.toBeInstanceOf(ShopAway);
  },
);
