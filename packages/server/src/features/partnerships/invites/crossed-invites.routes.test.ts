import { makeProduct, makeSerials, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { inviteCalls } from '@tonerow/test-support/invites.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let rae: Person;
beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  [ada, rae] = [await signUpVerified(server), await signUpVerified(server, 'reseller')];
});

const { invitedId, ask, received, sent, respond, resellersOf } = inviteCalls(() => ({ server, ada, rae }));

/** The ids of the developer's invitation to the reseller, and of the other way. */
async function both(body: object = {}): Promise<[offered: string, asked: string]> {
  const offered = await invitedId({ email: rae.email, commission_rate: 30, ...body });
  return [offered, (await ask(ada.email)).body.invites[0].id];
}

describe('two who have invited each other', () => {
  it('are partners when one of them accepts, and nothing stays pending', async () => {
    const [offered, asked] = await both();
    const answer = await respond(rae, offered);
    expect(answer.body).toMatchObject({ state: 'accepted', partnership_id: expect.any(String) });
    expect([await received(rae), await received(ada, 'developer')]).toEqual([[], []]);
    expect((await sent(rae.token))[0]).toMatchObject({ id: asked, state: 'accepted' });
    expect(await resellersOf(ada)).toMatchObject([{ status: 'active', commission_rate: 30 }]);
    // an answer that the other side may have had on the screen still works
    expect((await respond(ada, asked)).body).toEqual(answer.body);
  });

  it('become one partnership when both accept at once', async () => {
    const [offered, asked] = await both();
    const lock = await lockWith(server.db, 'select 1 from invites where id = any($1) for update', [[offered, asked]]);
    const answers = [respond(rae, offered), respond(ada, asked)];
    await lock.untilWaiting(2);
    await lock.release();
    const [one, two] = await Promise.all(answers);
    expect([one?.status, two?.status]).toEqual([200, 200]);
    expect(one?.body.partnership_id).toBe(two?.body.partnership_id);
    expect(await resellersOf(ada)).toHaveLength(1);
  });

  it('keep the named reseller that the developer meant, whoever accepts', async () => {
    const product = await makeProduct(server, ada.token);
    await makeSerials(server, ada.token, product.id, { new_reseller_name: 'Corner Shop' });
    const [named] = await resellersOf(ada);
    const [, asked] = await both({ partnership_id: named?.id });
    expect((await respond(ada, asked)).body.partnership_id).toBe(named?.id);
    expect(await resellersOf(ada)).toMatchObject([{ name: 'Corner Shop', status: 'active' }]);
  });

  it('stay strangers after a rejection, and the other invitation can still be accepted', async () => {
    const [offered, asked] = await both();
    await respond(rae, offered, 'reject');
    expect((await sent(rae.token))[0]).toMatchObject({ id: asked, state: 'pending' });
    expect((await respond(ada, asked)).status).toBe(200);
    expect(await resellersOf(ada)).toHaveLength(1);
  });
});
