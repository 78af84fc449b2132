import { flag, number } from './option-types.ts';

/** Of every list. */
export const PAGE = {
  limit: number('<n>', 'maximum number of rows', { fallback: '100' }),
  all: flag('all rows'),
};

/** Of what cannot be taken back. */
export const YES = { yes: flag('do not ask for confirmation') };

/** The server computes what would happen, and changes nothing. */
export const DRY_RUN = { dryRun: flag('only show what would happen') };

/** Periods that a list can be narrowed to, beside days of one's own. */
export const RANGES = ['all', '1w', '2w', '1m'];
