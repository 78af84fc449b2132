import { formatRelative, plural } from '#lib/format/format.ts';
import type { Shop, ShopDelivery } from '#lib/types.ts';
import type { BadgeTone } from '#ui/badge.tsx';
import { kindWords } from './kinds.ts';

interface Health {
  tone: BadgeTone;
  word: string;
  /** Explains what it means, and what helps. */
  detail: string;
}

type Judged = Pick<
  Shop,
  'kind' | 'state' | 'trouble' | 'has_secret' | 'last_event_at' | 'refused_at' | 'refused_why' | 'unmapped' | 'waiting'
>;

/** Whether the last thing that came was refused. */
export const isRefusing = ({ refused_at, last_event_at }: Pick<Shop, 'refused_at' | 'last_event_at'>): boolean =>
  refused_at !== null && (last_event_at === null || Date.parse(refused_at) > Date.parse(last_event_at));

/** How it is with a shop, the most urgent first. */
export function healthOf(shop: Judged): Health {
  const { kind, state, trouble, has_secret, last_event_at, refused_why, unmapped, waiting } = shop;
  if (state === 'off')
    return {
      tone: 'plain',
      word: 'Paused',
      detail:
        waiting > 0
          ? `${plural(waiting, 'report')} wait and are worked on when you resume it.`
          : 'What it reports is kept, and waits until you resume it.',
    };
  if (trouble) return { tone: 'bad', word: 'Attention', detail: trouble };
  if (!has_secret && kindWords[kind].secret !== 'none')
    return {
      tone: 'warn',
      word: 'No secret',
      detail: `Paste the ${kindWords[kind].secretName} that the shop shows. Until then, whatever comes is refused.`,
    };
  if (isRefusing(shop))
    return {
      tone: 'bad',
      word: 'Refusing',
      detail: `The last thing that came was refused: ${refused_why ?? 'it could not be trusted.'}`,
    };
  if (last_event_at === null) return { tone: 'plain', word: 'Waiting', detail: 'Nothing has come from the shop yet.' };
  if (unmapped > 0)
    return {
      tone: 'warn',
      word: 'Unmapped',
      detail: `It sells ${plural(unmapped, 'thing')} that you have not mapped to a product. Their orders wait.`,
    };
  return { tone: 'good', word: 'Working', detail: `The last report came ${formatRelative(last_event_at)}.` };
}

/**
 * The sales and refunds in a shop's own list that the shop did not report. Null: nothing is missing, or nobody has
 * compared them.
 */
export function missedText({ missed }: Pick<Shop, 'missed'>): string | null {
  if (!missed) return null;
  const sales = missed.orders > 0 ? plural(missed.orders, 'sale') : null;
  const refunds = missed.refunds > 0 ? `refunds of ${plural(missed.refunds, 'order')}` : null;
  return sales && refunds ? `${sales} and ${refunds}` : (sales ?? refunds);
}

/** The states of the wizard while it waits for the first report, and after the report has come. */
export type Waiting =
  | { step: 'secret'; text: string }
  | { step: 'listening'; text: string }
  | { step: 'silent'; text: string; checks: readonly string[] }
  | { step: 'refused'; text: string; checks: readonly string[] }
  | { step: 'ignored'; text: string; checks: readonly string[] }
  | { step: 'arrived'; text: string };

/** After so long without anything it shows what to check. */
const PATIENCE_MS = 60_000;

interface Since {
  /** When this screen began to wait. */
  since: number;
  now: number;
}

/** @param newest what came last and was signed; undefined: nothing has. */
export function waitingOf(
  shop: Judged & Pick<Shop, 'mode'>,
  newest: Pick<ShopDelivery, 'event' | 'state' | 'why'> | undefined,
  { since, now }: Since,
): Waiting {
  const { kind, has_secret, mode, refused_why } = shop;
  const { secret, secretName } = kindWords[kind];
  if (!has_secret && secret !== 'none')
    return {
      step: 'secret',
      text: `Paste the ${secretName} of the shop first. Without it, whatever comes is refused.`,
    };
  if (isRefusing(shop))
    return {
      step: 'refused',
      text: `Something came and was refused: ${refused_why ?? 'it could not be trusted.'}`,
      checks: refusedChecks(shop),
    };
  // a connection whose deliveries have expired has long been used
  if (!newest)
    return shop.last_event_at !== null
      ? { step: 'arrived', text: 'The shop is connected.' }
      : now - since < PATIENCE_MS
        ? { step: 'listening', text: 'Listening for the first report of the shop…' }
        : { step: 'silent', text: 'Nothing has come yet.', checks: silentChecks(shop) };
  if (newest.state === 'ignored' || newest.state === 'failed')
    return {
      step: 'ignored',
      text: `“${newest.event}” came, and nothing was made of it: ${newest.why ?? 'it was not understood.'}`,
      checks:
        newest.why !== null && /test mode|for tests|live sale/i.test(newest.why)
          ? [
              mode === 'live'
                ? 'Its signature is right, so the connection works. Orders of customers become serials. To get test codes, connect a second shop for tests.'
                : 'Its signature is right, so the connection works. Send a test order, or switch this shop to live in its settings.',
            ]
          : ['The signature is right, so the connection works. Place an order to see what becomes a serial.'],
    };
  return { step: 'arrived', text: `“${newest.event}” came, and its signature is right.` };
}

function refusedChecks({ kind, refused_why }: Judged): string[] {
  const { secret, secretName } = kindWords[kind];
  if (refused_why !== null && /another secret/i.test(refused_why))
    return [
      secret === 'theirs'
        ? `Copy the ${secretName} from the shop again and paste it here: all of it, without spaces.`
        : `The shop has another ${secretName} than this one. Paste ours there again, or make a new one here.`,
      'If a program is between the shop and us, it must pass the body on byte by byte.',
    ];
  if (refused_why !== null && /has no /i.test(refused_why))
    return [
      `It was not signed. Make sure that the ${secretName} is set in the shop, and that the shop itself sent it.`,
    ];
  return ['Compare the address and the secret in the shop with those above.'];
}

const silentChecks = ({ kind }: Pick<Shop, 'kind'>): string[] => [
  'Compare the address in the shop with the one above, to its last character: what goes to another address is not seen here.',
  kindWords[kind].tryIt,
  'Check in the shop whether the webhook is active, and what answer it shows for its last attempt.',
];
