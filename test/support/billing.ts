import type { Clock } from '../../packages/server/src/platform/clock.ts';
import { systemClock } from '../../packages/server/src/platform/clock.ts';
import { beside } from './beside.ts';
import { call, type Person } from './http.ts';
import type { TestServer } from './server.ts';
import type { StripeStandIn } from './stripe/stand-in.ts';

/** Developers with cards, on a server that speaks to the stand-in for Stripe. */
export function billingScene(at: () => { server: TestServer; stripe: StripeStandIn; clock?: Clock }) {
  const get = (person: Person, path: string) =>
    call(at().server, 'GET', `/api/billing${path}`, { token: person.token });
  const begin = (person: Person) =>
    call(at().server, 'POST', '/api/billing/create-setup-intent', { token: person.token });
  const cardOf = async (person: Person) => (await get(person, '/payment-method')).body.card;
  const besideIt = <T>(work: Parameters<typeof beside<T>>[1]) => {
    const { server, stripe, clock = systemClock } = at();
    return beside({ server, clock, env: stripe.env }, work);
  };

  /** As a person enters a card in the browser, and comes back to the settings. */
  async function addCard(person: Person, token?: string) {
    const { body } = await begin(person);
    const card = at().stripe.enterCard(body.client_secret, token);
    await cardOf(person);
    return card;
  }

  return { get, begin, cardOf, addCard, warn: () => besideIt((deps) => deps.expiringCards.run()) };
}
