import { call, makeSerials, type Person } from './http.ts';
import type { Partners } from './partners.ts';
import type { SharedServer } from './server.ts';

interface Scene {
  server: SharedServer;
  pair: Partners;
  productId: string;
}

/** The calls of a shop that draws codes of a product, and of the developer who fills its stock. */
export function drawCalls(scene: () => Scene) {
  let orders = 0;
  const order = () => `order-${++orders}`;
  return {
    /** A reference that no draw has had. */
    order,
    draw: (body: object = {}, person: Person = scene().pair.reseller) =>
      call(scene().server, 'POST', '/api/reseller/serials/draw', {
        token: person.token,
        body: { product_id: scene().productId, reference: order(), ...body },
      }),
    get: (path: string, person: Person = scene().pair.reseller, accept?: string) =>
      call(scene().server, 'GET', path, { token: person.token, headers: accept ? { accept } : {} }),
    giveBack: (reference: string, body: object = {}, person: Person = scene().pair.reseller) =>
      call(scene().server, 'POST', `/api/reseller/serials/draws/${encodeURIComponent(reference)}/return`, {
        token: person.token,
        body,
      }),
    stock: (fields: object = {}) => {
      const { server, pair, productId } = scene();
      return makeSerials(server, pair.developer.token, productId, { reseller_id: pair.partnershipId, ...fields });
    },
    setStatus: (status: string) => {
      const { server, pair } = scene();
      return server.db.query('update partnerships set status = $2 where id = $1', [pair.partnershipId, status]);
    },
  };
}

/** How many answers have each status. */
export const statuses = (answers: { status: number }[]) =>
  Object.fromEntries(
    [...new Set(answers.map(({ status }) => status))].map((each) => [
      each,
      answers.filter(({ status }) => status === each).length,
    ]),
  );
