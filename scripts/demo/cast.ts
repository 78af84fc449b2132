/** The people and products of the demo. */
export const PASSWORD = 'twelve notes in a row';

export const developer = { email: 'demo@tonerow.example', company: 'Lowpass Audio', role: 'developer' } as const;
export const resellers = {
  harbor: { email: 'shop@tonerow.example', company: 'Plugin Harbor', role: 'reseller' },
  store: { email: 'store@tonerow.example', company: 'Twelve Tone Store', role: 'reseller' },
} as const;
export type Reseller = keyof typeof resellers;

export const products = [
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

export interface BatchPlan {
  product: number;
  quantity: number;
  /** The day on which it is made, counted from the story's first. */
  day: number;
  /** The part of it that is redeemed by today. */
  sold: number;
  reseller?: Reseller;
  extra?: Record<string, unknown>;
}

export const batches: BatchPlan[] = [
  { product: 0, quantity: 500, day: 2, sold: 0.7 },
  { product: 1, quantity: 500, day: 10, sold: 0.55 },
  { product: 2, quantity: 400, day: 30, sold: 0.6, extra: { prefix: 'HALO' } },
  {
    product: 0,
    quantity: 250,
    day: 60,
    sold: 0.8,
    reseller: 'harbor',
    extra: { promo_price: 39, batch_tag: 'Spring Sale' },
  },
  { product: 1, quantity: 150, day: 90, sold: 0.5, reseller: 'harbor' },
  {
    product: 2,
    quantity: 200,
    day: 200,
    sold: 0.6,
    reseller: 'harbor',
    extra: { promo_price: 59, batch_tag: 'Bundle' },
  },
  { product: 1, quantity: 120, day: 150, sold: 0.6, reseller: 'store' },
  { product: 0, quantity: 40, day: 100, sold: 0.4, extra: { new_reseller_name: 'Loop Market', batch_tag: 'Fair' } },
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

export const roll = dice(12);
const pick = <T>(from: readonly T[]): T => from[Math.floor(roll() * from.length)] as T;

/** A customer; numbers up to 700 make some of them come back. */
export function musician(number: number) {
  const [firstName, lastName] = [pick(firstNames), pick(lastNames)];
  const email = `${firstName}.${lastName}.${number % 700}@example.com`
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '');
  return { firstName, lastName, email, country: pick(countries) };
}
