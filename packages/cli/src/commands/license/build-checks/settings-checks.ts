import path from 'node:path';
import type { Product } from '@tonerow/sdk';
import { type LicenseKeys, verifyAnswer } from '@tonerow/sdk';
import { NotSignedIn } from '#exit.ts';
import type { Context } from '#run/context.ts';
import { transportFor } from '#run/transport.ts';
import { type BuildCheck, fail, notRun, pass, so } from './check.ts';
import type { About } from './license-check.ts';

const TIME = '/api/license/v1/time';
const FARTHEST_SECONDS = 300;
const NOT_SIGNED_IN = 'you are not signed in to the server that it asks';

interface Signed {
  status: number;
  body: string;
  headers: Headers;
  nonce: string;
}

/** Compares the settings in the build with those of the server and the account. */
export async function settingsChecks(context: Context, about: About): Promise<BuildCheck[]> {
  const signed = await askTime(context, about);
  const jwks = await keysOf(context, about);
  const own = await ownOf(context, about);
  const isLocal = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:|\/|$)/.test(about.server);
  return [
    {
      check: null,
      what: 'the server’s address is HTTPS',
      advice: 'Set config.server to the HTTPS address that customers reach before you ship.',
      run: () =>
        isLocal ? notRun(`${about.server} is for trying`) : so(/^https:\/\/[^/]+/.test(about.server), about.server),
    },
    {
      check: null,
      what: 'the server answers',
      advice: 'Check config.server, and whether the server is running.',
      run: () => (typeof signed === 'string' ? fail(signed) : pass(`${signed.status}`)),
    },
    {
      check: null,
      what: 'the plugin key is known and active',
      advice: 'Set config.pluginKey to an active key: tonerow keys list.',
      run: () => {
        if (typeof signed === 'string') return notRun('the server does not answer');
        if (signed.status === 401) return fail('unknown or inactive');
        if (signed.status !== 200) return notRun(`the server answered ${signed.status}`);
        return own?.isTestKey ? fail('a test key, which takes test serials') : pass('known');
      },
    },
    {
      check: null,
      what: 'the product is yours',
      advice: 'Set config.productId to the id of the product: tonerow products list.',
      run: () => {
        if (own === null) return notRun(NOT_SIGNED_IN);
        if (own.product === null) return fail(`no product ${about.product_id}`);
        return so(own.product.name === about.product_name, own.product.name);
      },
    },
    {
      check: null,
      what: 'the developer is you',
      advice: 'Set config.developerId to your id: tonerow whoami.',
      run: () => (own === null ? notRun(NOT_SIGNED_IN) : so(own.developerId === about.developer_id, own.developerId)),
    },
    {
      check: null,
      what: 'it carries all your public keys',
      advice: 'Copy kid and x of each key into config.keys: tonerow license jwks.',
      run: () => {
        if (about.keys.length === 0) return fail('none: nothing unlocks');
        if (jwks === null) return notRun('the server does not answer');
        const missing = jwks.keys.filter(({ kid, x }) => !about.keys.some((each) => each.kid === kid && each.x === x));
        return missing.length > 0
          ? fail(`missing: ${missing.map(({ kid }) => kid).join(', ')}`)
          : so(jwks.keys.length > 0, `${about.keys.length} of ${about.keys.length}`);
      },
    },
    {
      check: 22,
      what: 'a signed answer is verified by the keys that it carries',
      advice: 'Compare config.keys and config.developerId with tonerow license jwks; a proxy may change answers.',
      run: async () => {
        if (typeof signed === 'string') return notRun('the server does not answer');
        const carried = {
          keys: about.keys.map((key) => ({ ...key, kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' })),
        };
        const verdict = await verifyAnswer(signed, carried as LicenseKeys, {
          method: 'GET',
          path: TIME,
          nonce: signed.nonce,
        });
        return verdict.valid ? pass('valid') : fail(verdict.reason);
      },
    },
    {
      check: 11,
      what: 'this computer’s clock agrees with the server’s',
      advice: 'Set this computer’s clock: a license that is stored with a wrong one is judged by it.',
      run: () => {
        const date = typeof signed === 'string' ? Number.NaN : Number(signed.headers.get('x-tonerow-date'));
        if (!(date > 0)) return notRun('the server signed no time');
        const off = Math.abs(about.clock - date);
        return so(off <= FARTHEST_SECONDS, `${off} s apart`);
      },
    },
    {
      check: null,
      what: 'the product plays without internet for some days',
      advice: 'Customers travel, and servers fail: tonerow products update PRODUCT --offline-days 30.',
      run: () => {
        if (!own?.product) return notRun('the product is not known here');
        const { offline_days: days } = own.product;
        return so(days >= 3, `${days} days`);
      },
    },
    {
      check: 21,
      what: 'the namespace is your own',
      advice: 'Set TONEROW_NAMESPACE to one named after your company.',
      run: () => so(about.namespace !== 'v1', about.namespace),
    },
    {
      check: 22,
      what: 'a library checks signatures',
      advice: 'Set TONEROW_BACKEND to sodium, openssl or monocypher.',
      run: () => so(about.signatures === 1, about.signatures === 1 ? 'it starts' : 'none'),
    },
    {
      check: 19,
      what: 'this computer has an id',
      advice: 'Nothing to do in a container: its seat belongs to what is stored there.',
      run: () => (about.machine_ids > 0 ? pass(`${about.machine_ids}`) : notRun('this system has none')),
    },
    {
      check: 17,
      what: 'the license is stored where this system keeps such files',
      advice: 'Leave Parts::places as Places::ofThisSystem() sets them.',
      run: () => {
        if (about.folder === '') return notRun(about.folder_trouble);
        const expected = foldersOfThisSystem(context.io.env);
        return so(expected.includes(path.normalize(about.folder)), about.folder);
      },
    },
  ];
}

function foldersOfThisSystem(env: Record<string, string | undefined>): string[] {
  const home = env.HOME ?? '';
  if (process.platform === 'darwin') return [path.join(home, 'Library/Application Support')];
  if (process.platform === 'win32') return [path.normalize(env.LOCALAPPDATA ?? '')];
  return [path.normalize(env.XDG_CONFIG_HOME || path.join(home, '.config'))];
}

/** A signed answer of the server that the build names; else why there is none. */
async function askTime(context: Context, about: About): Promise<Signed | string> {
  if (!URL.canParse(about.server)) return `${about.server} is no address`;
  const nonce = crypto.randomUUID().replaceAll('-', '');
  const headers = { authorization: `Bearer ${about.plugin_key}`, 'x-tonerow-nonce': nonce };
  const transport = await transportFor(about.server, context.io.env);
  try {
    const signal = AbortSignal.any([context.io.signal, AbortSignal.timeout(15_000)]);
    const answer = await transport.fetch(about.server + TIME, { headers, signal, redirect: 'manual' });
    return { status: answer.status, body: await answer.text(), headers: answer.headers, nonce };
  } catch (error) {
    context.io.signal.throwIfAborted();
    return (error as Error).message;
  } finally {
    await transport.close();
  }
}

async function keysOf(context: Context, about: About): Promise<LicenseKeys | null> {
  const transport = await transportFor(about.server, context.io.env);
  try {
    const signal = AbortSignal.any([context.io.signal, AbortSignal.timeout(15_000)]);
    const answer = await transport.fetch(`${about.server}/api/license/v1/jwks?dev=${about.developer_id}`, { signal });
    return answer.ok ? ((await answer.json()) as LicenseKeys) : null;
  } catch {
    context.io.signal.throwIfAborted();
    return null;
  } finally {
    await transport.close();
  }
}

interface Own {
  developerId: string;
  product: Product | null;
  isTestKey: boolean;
}

/** The settings of the account in use; null when nobody is signed in to the build's server. */
async function ownOf(context: Context, about: About): Promise<Own | null> {
  if (!URL.canParse(about.server) || new URL(about.server).origin !== new URL(await context.url()).origin) return null;
  const isSignedIn = await context.credential().then(
    () => true,
    (error) => {
      if (error instanceof NotSignedIn) return false;
      throw error;
    },
  );
  if (!isSignedIn) return null;
  const api = await context.api();
  const [{ id }, product, { keys }] = await Promise.all([
    api.getMe({}, context.call),
    api.getProduct({ path: { id: about.product_id } }, context.call).catch((error) => {
      if (error?.status === 404 || error?.status === 400) return null;
      throw error;
    }),
    api.listPluginKeys({}, context.call),
  ]);
  const key = keys.find(({ hint }) => about.plugin_key.endsWith(hint));
  return { developerId: id, product, isTestKey: key?.is_test === true };
}
