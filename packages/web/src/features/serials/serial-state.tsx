import { formatChosen } from '#lib/format/format.ts';
import type { Serial } from '#lib/types.ts';
import { Badge, type BadgeTone } from '#ui/badge.tsx';

/** The state of a serial in stock, in the words of every list of serials. */
function stateOf(row: Serial): { word: string; tone: BadgeTone; why: string } {
  if (row.revoked) return { word: 'Revoked', tone: 'bad', why: 'It can no longer be redeemed or used.' };
  if (row.redeemed_at) return { word: 'Redeemed', tone: 'accent', why: 'A customer has it.' };
  if (row.expires_at && new Date(row.expires_at) <= new Date())
    return { word: 'Expired', tone: 'warn', why: `It could be redeemed until ${formatChosen(row.expires_at, 'end')}.` };
  if (row.handed_out_at) return { word: 'Handed out', tone: 'plain', why: 'A reseller has given it to a customer.' };
  if (row.promo_start && new Date(row.promo_start) > new Date())
    return {
      word: 'Not yet valid',
      tone: 'plain',
      why: `It can be redeemed from ${formatChosen(row.promo_start, 'start')}.`,
    };
  return { word: 'Available', tone: 'good', why: 'Whoever has the code can redeem it.' };
}

export function SerialState({ row }: { row: Serial }) {
  const { word, tone, why } = stateOf(row);
  return (
    <Badge tone={tone} means={why}>
      {word}
    </Badge>
  );
}
