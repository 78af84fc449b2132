interface AccountState {
  words: string;
  tone: 'good' | 'warn' | 'bad' | 'plain';
  means: string;
}

const states: Partial<Record<string, AccountState>> = {
  paid: { words: 'ACTIVE', tone: 'good', means: 'Everything due is paid.' },
  open: { words: 'NEEDS ATTENTION', tone: 'warn', means: 'A charge failed. It is tried again.' },
  failed: { words: 'INACTIVE', tone: 'bad', means: 'Every charge failed. Another card is charged at once.' },
  uncollectible: { words: 'INACTIVE', tone: 'bad', means: 'An invoice is owed, but no longer tried.' },
  none: { words: 'NO BILLING RECORD', tone: 'plain', means: 'Nothing was charged so far.' },
};

/** A newer server may know a state that this page does not. */
export const stateOf = (status: string): AccountState =>
  states[status] ?? {
    words: 'UNKNOWN',
    tone: 'plain',
    means: 'This page is out of date. Reload it to see the state.',
  };
