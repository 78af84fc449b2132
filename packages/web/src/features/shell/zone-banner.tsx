import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { storeAccount } from '#lib/session/session.ts';
import { browserZone, sameClock, zoneInWords } from '#lib/time/zone.ts';
import type { Account } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { notify } from '#ui/toast.ts';

const keptKey = (account: Account) => `time-zone-kept-${account.id}`;

/** Offers this browser's time zone to an account that never chose one, until it chooses this or another zone. */
export function ZoneBanner({ user: account }: { user: Account }) {
  const queryClient = useQueryClient();
  const [kept, setKept] = useState(() => localStorage.getItem(keptKey(account)) !== null);
  const save = useMutation({
    mutationFn: () => api.updateAccountSettings({ body: { time_zone: browserZone } }),
    onSuccess: ({ time_zone }) => {
      storeAccount({ ...account, time_zone });
      notify.success(`Your dates are now in ${zoneInWords(time_zone)}.`);
      return refreshAfter(queryClient, 'timeZoneChanged');
    },
    onError: (error) => notify.error("The time zone wasn't changed.", error),
  });
  if (kept || account.time_zone !== 'UTC' || sameClock(new Date().toISOString(), 'UTC', browserZone)) return null;
  const keep = () => {
    localStorage.setItem(keptKey(account), 'UTC');
    setKept(true);
  };
  return (
    <section
      aria-label="Time zone"
      className="flex flex-wrap items-center gap-x-6 gap-y-2.5 border-b border-line bg-sunken px-4 py-2.5 text-sm md:px-8"
    >
      <p className="min-w-0 flex-1 basis-72 wrap-anywhere">
        Your dates are in UTC. Use {zoneInWords(browserZone)}, as in this browser? Dates you have set keep their moment.
      </p>
      <span className="flex flex-wrap gap-2">
        <Button size="sm" busy={save.isPending} onClick={() => save.mutate()}>
          Use {zoneInWords(browserZone)}
        </Button>
        <Button size="sm" variant="ghost" disabled={save.isPending} onClick={keep}>
          Keep UTC
        </Button>
      </span>
    </section>
  );
}
