/**
 * Fills a running server with a believable developer, reseller, products, 2,000 serials and six months of redemptions,
 * and prints the logins. Everything is made by the server's own services, under a clock that is moved through the months.
 */

import type { Deps } from '../packages/server/src/deps.ts';
import type { Principal } from '../packages/server/src/platform/access/access.ts';
import { DAY, HOUR, TestClock } from '../packages/server/src/platform/clock.ts';
import { withRunningServer } from '../packages/server/src/running-server.ts';

const PASSWORD = 'twelve notes in a row';
const DEVELOPER = 'demo@tonerow.example';
const RESELLER = 'shop@tonerow.example';
const DAYS = 180;

const products = [
  {
    name: 'Prism Delay',
    price: 89,
    sale_price: 69,
    about: 'A delay that bends light',
    features: ['Freeze', 'Twelve taps', 'Ducking'],
  },
  {
    name: 'Needle EQ',
    price: 59,
    sale_price: null,
    about: 'Surgical, and kind',
    features: ['24 bands', 'Linear phase'],
  },
  {
    name: 'Halation Reverb',
    price: 119,
    sale_price: 99,
    about: 'Rooms that never were',
    features: ['Shimmer', 'Convolution'],
  },
];
// product, quantity, what is special about the batch
const batches = [
  { product: 0, quantity: 500, start: 0, extra: {} },
  {
    product: 0,
    quantity: 300,
    start: 60,
    extra: { promo_price: 39, batch_tag: 'Spring Sale', new_reseller_name: 'Plugin Harbour' },
  },
  { product: 1, quantity: 500, start: 10, extra: {} },
  { product: 2, quantity: 400, start: 30, extra: { prefix: 'HALO' } },
  {
    product: 2,
    quantity: 300,
    start: 120,
    extra: { promo_price: 59, batch_tag: 'Bundle', new_reseller_name: 'Plugin Harbour' },
  },
];
const firstNames = [
  'Nina',
  'Bill',
  'Alice',
  'Thelonious',
  'Björk',
  'Ryuichi',
  'Wendy',
  'Delia',
  'Fela',
  'Kaija',
  'Oum',
  'Herbie',
];
const lastNames = [
  'Evans',
  'Coltrane',
  'Okafor',
  'Sato',
  'Derbyshire',
  'Lindqvist',
  'Moreau',
  'Haddad',
  'Nguyen',
  'García',
];
const countries = ['US', 'US', 'US', 'DE', 'DE', 'GB', 'JP', 'FR', 'SE', 'BR', 'CA', null];

/** The same demo every time: a small generator with a fixed seed. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const roll = dice(12);
const pick = <T>(from: readonly T[]): T => from[Math.floor(roll() * from.length)] as T;

async function person(deps: Deps, email: string, role: 'developer' | 'reseller', company: string): Promise<Principal> {
  await deps.registration.register(
    role,
    { first_name: 'Ada', last_name: 'Row', email, password: PASSWORD, company_name: company },
    null,
    { verified: true },
  );
  const { token } = await deps.accounts.login({ email, password: PASSWORD }, { userAgent: 'demo', ip: '127.0.0.1' });
  return (await deps.sessions.authenticate(token)) as Principal;
}

async function fill(deps: Deps, clock: TestClock, end: Date): Promise<void> {
  const begin = end.getTime() - DAYS * DAY;
  clock.set(new Date(begin));
  const developer = await person(deps, DEVELOPER, 'developer', 'Lowpass Audio');
  await person(deps, RESELLER, 'reseller', 'Plugin Harbour');
  // a developer of this size pays for overage
  await deps.db.query("update users set plan = 'elite' where id = $1", [developer.userId]);
  const made = [];
  for (const { name, price, sale_price, about, features } of products) {
    made.push(
      await deps.products.create(developer.userId, deps.random.id(), {
        name,
        price,
        sale_price,
        short_desc: about,
        long_desc: '',
        feature_list: features,
        image_url: null,
        is_draft: false,
        file_urls: [
          { name: 'macOS', url: 'https://example.com/mac.dmg' },
          { name: 'Windows', url: 'https://example.com/win.exe' },
        ],
        max_activations: 3,
        offline_days: 30,
        juce_product_id: null,
        lease_days: 90,
        trial_days: 14,
      }),
    );
  }
  const events: { at: number; serialId: string }[] = [];
  for (const { product, quantity, start, extra } of batches) {
    clock.set(new Date(begin + start * DAY));
    const form = {
      quantity,
      product_id: made[product]?.id as string,
      prefix: null,
      promo_price: null,
      promo_start: null,
      promo_expires: null,
      expires_at: null,
      batch_tag: null,
      notes: null,
      reseller_id: null,
      new_reseller_name: null,
      ...extra,
    };
    const batch = await deps.serials.generate(developer, deps.random.id(), form, new AbortController().signal);
    const { serials } = await deps.serials.batchSerials(developer.userId, batch);
    for (const serial of serials.slice(0, Math.floor(quantity * (0.45 + roll() * 0.3)))) {
      // more towards the present, as for a shop that grows
      const share = Math.sqrt(roll());
      events.push({ at: begin + start * DAY + share * (DAYS - start) * DAY - roll() * HOUR, serialId: serial.id });
    }
  }
  events.sort((a, b) => a.at - b.at);
  for (const [index, { at, serialId }] of events.entries()) {
    clock.set(new Date(Math.min(at, end.getTime() - HOUR)));
    const [firstName, lastName] = [pick(firstNames), pick(lastNames)];
    const email = `${firstName}.${lastName}.${index % 700}@example.com`
      .toLowerCase()
      .normalize('NFD')
      .replace(/\p{M}/gu, '');
    const input = {
      serialId,
      developerId: developer.userId,
      email,
      firstName,
      lastName,
      source: 'redeem' as const,
      country: pick(countries),
    };
    await deps.db.transaction((tx) => deps.redemptions.redeemSerial(tx, input));
  }
  clock.set(end);
  await deps.pluginKeys.create(developer, deps.random.id(), { label: 'Universal API key', is_test: false });
  process.stdout.write(`  ${products.length} products, 2,000 serials, ${events.length} redemptions over six months.\n`);
}

const clock = new TestClock(new Date());
const end = clock.now();
await withRunningServer(
  async (deps, config) => {
    await deps.jobs.start({ work: false });
    try {
      const there = await deps.db.query('select 1 from users where email_key = $1', [DEVELOPER]);
      if (there.length === 0) await fill(deps, clock, end);
      else process.stdout.write('  The demo data is there already.\n');
    } finally {
      await deps.jobs.stop(1000);
    }
    process.stdout.write(`
  ${config.publicUrl}/login

  Developer  ${DEVELOPER}   ${PASSWORD}
  Reseller   ${RESELLER}   ${PASSWORD}

`);
  },
  { clock },
).catch((error: Error) => {
  process.stderr.write(`\n  ${error.message}\n\n`);
  process.exitCode = 1;
});
