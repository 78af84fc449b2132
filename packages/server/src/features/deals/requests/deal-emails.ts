import { composeEmail } from '#platform/email/compose-email.ts';
import type { Email } from '#platform/email/mailer.ts';
import { toCents } from '#platform/money.ts';
import { money } from '#platform/paper/words.ts';
import { chosenInWords } from '#platform/time/dates-in-words.ts';
import type { DealRequestView } from './deal-requests.schemas.ts';

interface Recipient {
  to: string;
  /** The recipient's. */
  timeZone: string;
  unsubscribeUrl: string;
  /** Where the recipient finds it. */
  url: string;
}

interface Terms {
  price: number;
  quantity: number;
  promo_start: Date | null;
  promo_expires: Date | null;
  expires_at: Date | null;
}

type AboutRequest = Recipient & { request: DealRequestView };

/** The email to the developer about a request. */
export function requestedEmail({ request, url, ...rest }: AboutRequest): Email {
  return composeEmail({
    ...rest,
    subject: `${request.reseller_name} requests a deal for ${request.product_name}`,
    lines: [
      `${request.reseller_name} requests a deal for ${request.product_name}.`,
      ...(request.note ? [`Their note:\n${request.note}`] : []),
      'Open your resellers to accept or decline it. Accepting opens the serial generator with these terms.',
    ],
    rows: rowsOf(request, rest.timeZone, request.reseller_time_zone),
    link: { label: 'Open the request', url },
  });
}

/** The email to the reseller about an accepted request. */
export function acceptedEmail({ request, url, ...rest }: AboutRequest): Email {
  const { accepted } = request;
  const asked = rowsOf(request, rest.timeZone, request.reseller_time_zone);
  const given = accepted ? rowsOf(accepted, rest.timeZone, request.developer_time_zone) : asked;
  const changed = given.join() !== asked.join();
  return composeEmail({
    ...rest,
    subject: `${request.developer_name} accepted your deal for ${request.product_name}`,
    lines: [
      `${request.developer_name} accepted your request for a deal for ${request.product_name}${changed ? ', with changed terms' : ''}. The serials are ready.`,
    ],
    rows: given,
    link: { label: 'Open your deals', url },
  });
}

/** The email to the reseller about a declined request. */
export function declinedEmail({ request, url, ...rest }: AboutRequest): Email {
  return composeEmail({
    ...rest,
    subject: `${request.developer_name} declined your deal for ${request.product_name}`,
    lines: [
      `${request.developer_name} declined your request for a deal for ${request.product_name}.`,
      `Their reason:\n${request.answer ?? ''}`,
    ],
    link: { label: 'Open your deals', url },
  });
}

/** The email to the reseller about a deal that nobody asked for. */
export function newDealEmail({
  deal,
  url,
  ...rest
}: Recipient & { deal: Terms & { product_name: string; developer_name: string; developer_time_zone: string } }): Email {
  return composeEmail({
    ...rest,
    subject: `A new deal for ${deal.product_name}`,
    lines: [`${deal.developer_name} gave you serials of ${deal.product_name} at a special price.`],
    rows: rowsOf(deal, rest.timeZone, deal.developer_time_zone),
    link: { label: 'Open your deals', url },
  });
}

/** @param owner whose dates these are. */
function rowsOf(terms: Terms, reader: string, owner: string): string[][] {
  const { price, quantity, promo_start, promo_expires, expires_at } = terms;
  const end = (date: Date | null) => (date ? chosenInWords(date, 'end', reader, owner) : 'No end');
  return [
    ['Price', money(toCents(price))],
    ['Serials', quantity.toLocaleString('en-US')],
    ['Promo starts', promo_start ? chosenInWords(promo_start, 'start', reader, owner) : 'At once'],
    ['Promo expires', end(promo_expires)],
    ['Redeem by', end(expires_at)],
  ];
}
