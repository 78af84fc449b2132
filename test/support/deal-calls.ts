import { expect } from 'vitest';
import { call, type Person } from './http.ts';
import type { Partners } from './partners.ts';
import type { SharedServer } from './server.ts';

interface Scene {
  server: SharedServer;
  pair: Partners;
  product: { id: string };
}

/** Calls of a reseller and a developer about deals that the reseller requests. */
export function dealCalls(scene: () => Scene) {
  const post = (path: string, person: Person, body: object = {}, headers: Record<string, string> = {}) =>
    call(scene().server, 'POST', path, { token: person.token, body, headers });
  const get = (path: string, person: Person) => call(scene().server, 'GET', path, { token: person.token });
  const ask = (fields: object = {}, person = scene().pair.reseller, headers = {}) => {
    const body = { product_id: scene().product.id, price: 29, quantity: 5, ...fields };
    return post('/api/reseller/deal-requests', person, body, headers);
  };
  return {
    post,
    get,
    ask,
    /** The id of a new request. */
    asked: async (fields: object = {}): Promise<string> => {
      const answer = await ask(fields);
      expect(answer.status, answer.text).toBe(201);
      return answer.body.id;
    },
    own: async (query = '') => (await get(`/api/reseller/deal-requests${query}`, scene().pair.reseller)).body,
    received: async (query = '') =>
      (await get(`/api/reseller/developer/deal-requests${query}`, scene().pair.developer)).body,
    withdraw: (id: string, person = scene().pair.reseller) =>
      post(`/api/reseller/deal-requests/${id}/withdraw`, person),
    decline: (id: string, reason = 'Too low', person = scene().pair.developer) =>
      post(`/api/reseller/developer/deal-requests/${id}/decline`, person, { reason }),
    accept: (id: string, fields: object = {}, headers = {}) => {
      const { pair, product } = scene();
      const asIs = { product_id: product.id, reseller_id: pair.partnershipId, quantity: 5, promo_price: 29 };
      return post('/api/serials/generate', pair.developer, { ...asIs, deal_request_id: id, ...fields }, headers);
    },
    batches: async () => {
      const [row] = await scene().server.db.query<{ n: number }>(
        'select count(*)::int as n from batches where developer_id = $1',
        [scene().pair.developer.id],
      );
      return row?.n;
    },
    setStatus: (status: string) => {
      const { server, pair } = scene();
      return server.db.query('update partnerships set status = $2 where id = $1', [pair.partnershipId, status]);
    },
    emailTo: (person: Person, subject: string) =>
      scene().server.email(
        (email) => email.to?.[0]?.address === person.email && (email.subject ?? '').includes(subject),
      ),
  };
}
