import type pg from 'pg';
import type { Started } from './support.ts';

interface Measured {
  what: string;
  ours: string;
  baseline?: string;
  ratio: number;
  atMost?: number;
  atLeast?: number;
  below?: number;
  unit?: string;
}

export interface Line {
  what: string;
  ours: string;
  baseline: string;
  ratio: number;
  goal: string;
  met: boolean;
}

/** The context of every measurement. */
export interface Bench {
  server: Started;
  databaseUrl: string;
  db: pg.Client;
  token: string;
  developerId: string;
  /** The folder for temporary files. */
  folder: string;
  /** Serials of a batch, of an import and of an export. */
  quantity: number;
  say(text: string): void;
  line(measured: Measured): void;
}

export function judged({ what, ours, baseline = '–', ratio, atMost, atLeast, below, unit = '' }: Measured): Line {
  const value = Number(ratio.toFixed(unit === '' ? 2 : 0));
  if (atMost !== undefined)
    return { what, ours, baseline, ratio: value, goal: `≤ ${atMost}${unit}`, met: ratio <= atMost };
  if (atLeast !== undefined)
    return { what, ours, baseline, ratio: value, goal: `≥ ${atLeast}${unit}`, met: ratio >= atLeast };
  return { what, ours, baseline, ratio: value, goal: `< ${below}${unit}`, met: ratio < (below ?? 0) };
}
