interface AccountState {
  words: string;
  tone: 'good' | 'warn' | 'bad' | 'plain';
}

const states: Partial<Record<string, AccountState>> = {
  paid: { words: 'ACTIVE', tone: 'good' },
  open: { words: 'NEEDS ATTENTION', tone: 'warn' },
  failed: { words: 'INACTIVE', tone: 'bad' },
  uncollectible: { words: 'INACTIVE', tone: 'bad' },
  none: { words: 'NO BILLING RECORD', tone: 'plain' },
};

/** A newer server may know a state that this page does not. */
export const stateOf = (status: string): AccountState => states[status] ?? { words: 'UNKNOWN', tone: 'plain' };
