import type { InputOf } from '@tonerow/sdk';
import { api } from '#lib/api.ts';
import { ServerChange, type ServerChangeProps } from './server-change.tsx';

type RedeemedQuery = InputOf<'changeRedeemedSerials'>['body']['filter'];
type Action = 'revoke' | 'reassign' | 'reset_downloads';

const words: ServerChangeProps<Action>['words'] = {
  revoke: {
    act: 'Revoke',
    done: 'Revoked',
    explain: 'Redemption, downloads and licensing stop at once. No money moves, and you can reassign them later.',
  },
  reassign: { act: 'Reassign', done: 'Reassigned', explain: 'They work again at once. No money moves.' },
  reset_downloads: {
    act: 'Reset downloads of',
    done: 'Reset the downloads of',
    explain: 'Their customers can download five times again.',
  },
};

interface MatchingChangeProps extends Pick<ServerChangeProps<Action>, 'action' | 'onClose' | 'onDone'> {
  /** As the server takes it. */
  filter: RedeemedQuery;
}

/** Changes all redeemed serials that match the filter on the server, after showing how many there are and what it costs. */
export function MatchingChange({ filter, ...change }: MatchingChangeProps) {
  return (
    <ServerChange<Action>
      {...change}
      words={words}
      unknown="everything that matches"
      operation="changeRedeemedSerials"
      about={filter}
      run={async (action, dry_run) => [await api.changeRedeemedSerials({ body: { action, filter, dry_run } })]}
      failed="Nothing was changed."
    />
  );
}
