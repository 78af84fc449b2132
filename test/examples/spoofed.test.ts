import { generateKeyPairSync } from 'node:crypto';
import { call } from '@tonerow/test-support/http.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { signatureHeaders } from '../../packages/server/src/features/licensing/tokens/answer-signature.ts';
import { DAY } from '../../packages/server/src/platform/clock.ts';
import { canRun } from './cpp-support.ts';
import { buildLicense, NO_JUCE } from './juce/build.ts';
import { LicensePlugin } from './juce/license-plugin.ts';
import { JuceWorld } from './juce/world.ts';
import type { Said } from './spoofed-server.ts';

const MISSING = 'License invalid or missing. Please activate.';
const UNVERIFIED = "The license server's answer could not be verified.";
const JWKS = '/api/license/v1/jwks';

const say = (status: number, body: object, headers: object = {}): Said => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
const yes = { ok: true, status: 'active', max_activations: 99, remaining: 99 };
const revoked = { ok: false, status: 'revoked', error: 'This license has been revoked.' };
const freed = { ok: true, status: 'deactivated' };

const WHAT = 'TonerowLicense and a spoofed server';

describe.runIf(canRun(WHAT, NO_JUCE))(WHAT, () => {
  let world: JuceWorld;
  let program: string;
  let realKey: { kid: string; x: string };

  beforeAll(async () => {
    program = await buildLicense();
    world = await JuceWorld.start();
    const token = world.values.PLUGIN_KEY as string;
    // the developer's first key is made for the first answer that is signed
    await call(world.server, 'GET', '/api/license/v1/time', { token, headers: { 'x-tonerow-sign': '1' } });
    realKey = (await call(world.server, 'GET', `${JWKS}?dev=${world.ada.id}`)).body.keys[0];
  }, 300_000);
  afterEach(async () => {
    for (const end of await world.ended()) expect(end).toEqual({ code: 0, complaints: '' });
  });
  afterAll(() => world?.stop());

  const plugin = async (pinned: boolean) => {
    const machine = await world.machine();
    const driver = new LicensePlugin(machine, await world.run(program, machine));
    if (pinned) await driver.say(`pin ${realKey.kid} ${realKey.x}`);
    await driver.say('open');
    return driver;
  };
  const activated = async (pinned: boolean) => {
    const { id, code } = await world.serial();
    const driver = await plugin(pinned);
    expect(await driver.say(`activate ${code} nina@example.com`)).toMatchObject({ state: 'unlocked', message: '' });
    return { driver, id, code };
  };
  /** Unlocked now, and when it is opened again without the network: its keys and its token are still there. */
  const staysUnlocked = async (driver: LicensePlugin) => {
    for (const verb of ['validate', 'deactivate', 'refresh', 'validate']) {
      expect(await driver.say(verb), verb).toMatchObject({ state: 'unlocked' });
    }
    await driver.say('close');
    await driver.say('network off');
    expect(await driver.say('open')).toMatchObject({ state: 'unlocked', message: '' });
  };

  const ways = [
    { keys: 'pinned keys', pinned: true },
    { keys: 'fetched keys', pinned: false },
  ];

  describe.each(ways)('with $keys', ({ pinned }) => {
    it('every question has a nonce of its own, of 128 bits', async () => {
      const before = world.spoofed.heard.length;
      const { driver } = await activated(pinned);
      await driver.say('validate');
      await driver.say('deactivate');
      const asked = world.spoofed.heard.slice(before).filter((each) => each.path !== JWKS);
      const nonces = asked.map(({ headers }) => headers['x-tonerow-nonce'] as string);
      expect(nonces).toHaveLength(3);
      expect(new Set(nonces).size).toBe(3);
      for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{32}$/);
    });

    it('one that sends an unsigned yes unlocks nobody', async () => {
      const { code } = await world.serial();
      const driver = await plugin(pinned);
      world.spoofed.lie = ({ path: asked }, truth) => (asked === JWKS ? truth() : say(200, yes));
      const message = `Activation failed: ${UNVERIFIED}`;
      expect(await driver.say(`activate ${code} nina@example.com`)).toMatchObject({ state: 'locked', message });
      // a true yes without its signature is as little
      world.spoofed.lie = async (_, truth) => ({ ...(await truth()), headers: {} });
      expect(await driver.say(`activate ${code} nina@example.com`)).toMatchObject({ state: 'locked', message });
    });

    it.each([
      ['revoked', say(403, revoked)],
      ['deactivated', say(200, freed)],
      ['in HTML', { status: 200, headers: {}, body: '<html>Welcome to our hotel</html>' }],
      ['rate-limited', say(429, { ok: false, status: 'rate_limited', error: 'x' })],
      ['unauthorized', say(401, { ok: false, status: 'unauthorized', error: 'x' })],
      ['unavailable', say(503, { ok: false, status: 'unavailable', error: 'x' })],
    ])('one that answers %s, unsigned, locks nobody', async (_, answer) => {
      const { driver } = await activated(pinned);
      world.spoofed.lie = () => answer;
      await staysUnlocked(driver);
    });

    it('one that replays older signed answers neither unlocks nor locks', async () => {
      const { driver, id, code } = await activated(pinned);
      const told = new Map<string, Said>();
      const remember = async (heard: { path: string }, truth: () => Promise<Said>) => {
        const said = await truth();
        told.set(heard.path, said);
        return said;
      };
      const replay = (heard: { path: string }, truth: () => Promise<Said>) => told.get(heard.path) ?? truth();

      // a yes with a token that is good for weeks yet
      world.spoofed.lie = remember;
      expect(await driver.say(`activate ${code} nina@example.com`)).toMatchObject({ state: 'unlocked' });
      await driver.say('validate');
      await world.revoke({ id, code });
      world.spoofed.lie = null;
      expect(await driver.say('validate')).toMatchObject({ state: 'locked' });
      world.spoofed.lie = replay;
      const message = `Activation failed: ${UNVERIFIED}`;
      expect(await driver.say(`activate ${code} nina@example.com`)).toMatchObject({ state: 'locked', message });
      expect(await driver.say('validate')).toMatchObject({ state: 'locked', message: MISSING });

      // refusals that the server signed for somebody else, a moment ago
      world.spoofed.lie = null;
      const second = await activated(pinned);
      for (const verb of ['validate', 'deactivate']) {
        const asked = `/api/license/v1/${verb}`;
        const { status, headers, text } = await call(world.server, 'POST', asked, {
          token: world.values.PLUGIN_KEY as string,
          body: { license_key: 'AAAA', machine_id: 'x' },
          headers: { 'x-tonerow-nonce': 'nonce-of-somebody-else' },
        });
        expect([status, headers.get('x-tonerow-signature')]).toEqual([404, expect.stringContaining('ed25519=')]);
        told.set(asked, { status, headers: Object.fromEntries(headers), body: text });
      }
      world.spoofed.lie = replay;
      await staysUnlocked(second.driver);
    });

    it.each([
      ['its own id', () => '019cd0a0-0000-7000-8000-0000000000ff'],
      ['the real one’s id', () => realKey.kid],
    ])('one that signs with another key, under %s, neither unlocks nor locks', async (_, kid) => {
      const { privateKey } = generateKeyPairSync('ed25519');
      const forge =
        (answer: Said) =>
        (
          heard: { method: string; path: string; headers: object },
          truth: () => Promise<Said>,
        ): Said | Promise<Said> => {
          if (heard.path === JWKS) return truth();
          const nonce = (heard.headers as Record<string, string>)['x-tonerow-nonce'] ?? '';
          const signer = { kid: kid(), privateKey, now: world.clock.now() };
          const headers = signatureHeaders({ ...heard, nonce }, answer.body, signer);
          return { ...answer, headers: { ...answer.headers, ...headers } };
        };
      const locked = await plugin(pinned);
      world.spoofed.lie = forge(say(200, yes));
      const message = `Activation failed: ${UNVERIFIED}`;
      expect(await locked.say(`activate ${(await world.serial()).code} nina@example.com`)).toMatchObject({
        state: 'locked',
        message,
      });
      world.spoofed.lie = null;
      const { driver } = await activated(pinned);
      world.spoofed.lie = forge(say(403, revoked));
      await staysUnlocked(driver);
    });

    it('the real one is understood by a machine whose clock is two days ahead', async () => {
      const { driver, id, code } = await activated(pinned);
      await driver.say(`clock ${world.clock.now().getTime() + 2 * DAY}`);
      const { requests } = await driver.say('validate');
      expect(await driver.say('validate')).toMatchObject({ state: 'unlocked', requests: requests + 1, message: '' });
      await world.revoke({ id, code });
      const message = `${MISSING} (This license has been revoked.)`;
      expect(await driver.say('validate')).toMatchObject({ state: 'locked', message });
    });
  });

  it('one that brings keys of its own fools only who pinned none', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const kid = '019cd0a0-0000-7000-8000-0000000000ff';
    const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid }] };
    const signer = { kid, privateKey, now: world.clock.now() };
    const { driver } = await activated(true);
    const { driver: trusting } = await activated(false);
    world.spoofed.lie = (heard) => {
      if (heard.path === JWKS) return say(200, jwks);
      const { body, headers } = say(403, revoked);
      const nonce = heard.headers['x-tonerow-nonce'] as string;
      return { status: 403, body, headers: { ...headers, ...signatureHeaders({ ...heard, nonce }, body, signer) } };
    };
    await staysUnlocked(driver);
    expect(await trusting.say('validate')).toMatchObject({ state: 'locked' });
  });
});
