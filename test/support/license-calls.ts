import { expect } from 'vitest';
import { DAY, type TestClock } from '../../packages/server/src/platform/clock.ts';
import { call, makeProduct, makeSerials, type Person, signUp } from './http.ts';
import { setPlan } from './plans.ts';
import type { SharedServer } from './server.ts';

/** The answer to a plugin's call that is refused. */
export interface Refused {
  status: number;
  body: { status: string; ok: boolean; error: string };
}

/** The status and the reason of a refusal, which has to have words too. */
export function refusal(answer: Refused): [number, string] {
  expect(answer.body.ok).toBe(false);
  expect(answer.body.error).toBeTruthy();
  return [answer.status, answer.body.status];
}

/** A developer with a plugin and its key, and the calls that the plugin makes. */
export async function licenseScene({ server, clock }: { server: SharedServer; clock: TestClock }) {
  const ada: Person = await signUp(server);
  await setPlan(server.db, { plan: 'elite', accountId: ada.id });
  const product: { id: string; name: string } = await makeProduct(server, ada.token);
  const key: string = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body
    .plaintext;
  const ask = (verb: string, body: object, token = key) =>
    call(server, 'POST', `/api/license/v1/${verb}`, { token, body });
  return {
    ada,
    product,
    key,
    ask,
    activate: (license_key: string, machine_id: string, more: object = { email: 'nina@example.com' }) =>
      ask('activate', { license_key, machine_id, ...more }),
    serial: async (fields: object = {}) =>
      (await makeSerials(server, ada.token, product.id, { quantity: 1, ...fields }))[0] as { id: string; code: string },
    /** Lets days pass with a visit, because the developer's session would end without one. */
    pass: async (days: number) => {
      clock.advance(days * DAY);
      await call(server, 'GET', '/api/auth/me', { token: ada.token });
    },
  };
}

export type LicenseScene = Awaited<ReturnType<typeof licenseScene>>;
