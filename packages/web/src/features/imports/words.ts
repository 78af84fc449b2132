import { formatCount, formatMoment, formatMoney, plural } from '#lib/format/format.ts';
import type { ImportCheck, ImportDetail, ImportPlan, ImportSummary, ImportUndo } from '#lib/types.ts';
import type { BadgeTone } from '#ui/badge.tsx';

type Kind = ImportSummary['kind'];
type State = ImportSummary['state'];
type Encoding = NonNullable<ImportPlan['encoding']>;
type Delimiter = NonNullable<ImportPlan['delimiter']>;

export const kindWords: Record<Kind, string> = {
  redeemed: 'Redeemed serials',
  available: 'Available serials',
  customers: 'Customers',
};
export const kindHints: Record<Kind, string> = {
  redeemed: 'Sold serials with their owners. They enter your statistics with their own dates and prices.',
  available: 'Serials that nobody has yet. They can be redeemed and handed out.',
  customers: 'People without serials.',
};

export const encodingWords: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16, little endian',
  'utf-16be': 'UTF-16, big endian',
  'windows-1252': 'Windows-1252',
};
export const delimiterWords: Record<Delimiter, string> = {
  comma: 'Comma',
  semicolon: 'Semicolon',
  tab: 'Tab',
  pipe: 'Vertical bar',
};

interface StateWords {
  word: string;
  tone: BadgeTone;
  means: string;
}

const states: Record<State, StateWords> = {
  open: { word: 'Not imported', tone: 'accent', means: 'The file was read. Nothing of it is imported yet.' },
  checking: { word: 'Being checked', tone: 'accent', means: 'All lines are tried. Nothing of it is imported yet.' },
  running: { word: 'Importing', tone: 'accent', means: 'The import goes on by itself, with this page or without.' },
  complete: { word: 'Complete', tone: 'good', means: 'All valid lines were imported.' },
  failed: { word: 'Failed', tone: 'bad', means: 'Nothing of the file was imported.' },
  undoing: { word: 'Being taken back', tone: 'warn', means: 'What the import brought is being deleted.' },
  undone: { word: 'Taken back', tone: 'plain', means: 'What the import brought was deleted again.' },
};
const checked: StateWords = { word: 'Checked', tone: 'plain', means: 'The file was only tried. Nothing was imported.' };

export const stateOf = ({ state, dry_run }: Pick<ImportSummary, 'state' | 'dry_run'>): StateWords =>
  dry_run && state === 'complete' ? checked : states[state];

/** `3,012 added, 12 known already, 5 refused`; of one that has not run, what is known of it. */
export function countsOf({ state, count, known, rejected }: ImportSummary): string {
  if (state === 'open' || state === 'checking') return 'Nothing imported yet';
  const parts = [
    `${formatCount(count)} added`,
    known > 0 && `${formatCount(known)} known already`,
    rejected > 0 && `${formatCount(rejected)} refused`,
  ];
  return parts.filter((part) => part !== false).join(', ');
}

type Reason = ImportUndo['kept'][number]['reason'];
const builtOn: Record<Reason, [one: string, many: string]> = {
  seats: ['has a seat or had one', 'have a seat or had one'],
  refunds: ['has a refund', 'have a refund'],
  statements: ['is in a statement of a reseller', 'are in a statement of a reseller'],
  downloads: ['was downloaded since', 'were downloaded since'],
  redemptions: ['was redeemed since', 'were redeemed since'],
  handed_out: ['was handed out', 'were handed out'],
  serials: ['owns a serial', 'own a serial'],
  changes: ['was changed since', 'were changed since'],
};

/** `3 serials have a seat or had one.` */
export function keptWords({ reason, count }: Pick<ImportUndo['kept'][number], 'reason' | 'count'>, kind: Kind): string {
  return `${plural(count, kind === 'customers' ? 'customer' : 'serial')} ${builtOn[reason][count === 1 ? 0 : 1]}.`;
}

/** The number of customers or serials that an import brought, in words. */
export const broughtWords = ({ kind, count }: Pick<ImportDetail, 'kind' | 'count'>): string =>
  plural(count, kind === 'customers' ? 'customer' : 'serial');

type Cell = ImportCheck['rows'][number][string];

const moment = /^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/;

/** A cell as it was understood: money as money, a moment on the account’s clock. */
export function cellWords(column: string, cell: Cell | undefined): string {
  if (cell === null || cell === undefined || cell === '') return '–';
  if (typeof cell === 'number') return column.endsWith('Price') ? formatMoney(cell) : formatCount(cell);
  if (typeof cell === 'boolean') return cell ? 'Yes' : 'No';
  return moment.test(cell) ? formatMoment(cell) : cell;
}

interface Choice {
  value: string;
  words: string;
}

const choices: Record<string, Record<string, string>> = {
  decimal: { point: 'A point: 1,234.50', comma: 'A comma: 1.234,50' },
  date_order: { dmy: 'Day first: 31/12/2026', mdy: 'Month first: 12/31/2026' },
  price: { current: 'What each product costs today' },
  date: { today: 'Today' },
  ends: { revoke: 'Revoke what has ended, note the rest', ignore: 'Leave all ends out' },
};

/** The possible answers to a question, in words. */
export function choicesOf({ id, choices: given }: Pick<ImportPlan['questions'][number], 'id' | 'choices'>): Choice[] {
  return given.map((value) => ({ value, words: choices[id]?.[value] ?? value }));
}

const answers: Record<keyof ImportPlan['answers'], string> = {
  decimal: 'Cents are after',
  date_order: 'Dates have',
  price: 'Sales are booked at',
  date: 'Sales are booked on',
  ends: 'Ends of licenses:',
};

/** The answers so far. */
export function answered(
  plan: Pick<ImportPlan, 'answers'>,
): { id: keyof ImportPlan['answers']; what: string; words: string }[] {
  return (Object.keys(answers) as (keyof ImportPlan['answers'])[]).flatMap((id) => {
    const value = plan.answers[id];
    return value === null ? [] : [{ id, what: answers[id], words: choices[id]?.[value] ?? value }];
  });
}
