import type { SerialDetail } from '@tonerow/sdk';
import { money } from './table.ts';

type Standing = SerialDetail['standing'];
type Finding = Standing['also'][number];
type Mend = Finding['mends'][number];

/** `Reset downloads ($0.03)`. */
const mendWords = ({ label, cost }: Mend): string => (cost > 0 ? `${label} (${money(cost)})` : label);

/** A cell of a list. */
export const standingCell = ({ code, message }: Pick<Standing, 'code' | 'message'>): string =>
  code === 'in_order' ? 'active' : message.toLowerCase();

/** One line for each thing that was found, each with what helps. The first one answers the question. */
export function standingLines(standing: Standing, subject: 'serial' | 'customer'): string[] {
  return [standing, ...standing.also].map((finding) => lineOf(finding, subject));
}

function lineOf({ message, mends, serial, product_name }: Finding, subject: 'serial' | 'customer'): string {
  const about = subject === 'customer' && serial ? ` (${product_name}, ${serial})` : '';
  return [`${message}${about}`, ...mends.map(mendWords)].join(' · ');
}

/** The command that does it. */
export function mendCommands({ mends, serial }: Finding): string[] {
  const code = serial ?? '';
  return mends.flatMap(({ action }) => COMMANDS[action]?.(code) ?? []);
}

const COMMANDS: Partial<Record<Mend['action'], (code: string) => string>> = {
  reassign: (code) => `tonerow serials reassign ${code}`,
  reset_downloads: (code) => `tonerow serials refresh ${code}`,
  add_seats: (code) => `tonerow serials seats ${code} SEATS`,
  change_plan: () => 'tonerow plan list',
};
