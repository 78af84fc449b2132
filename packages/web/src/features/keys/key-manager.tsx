import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAsked } from '#lib/keyboard/palette-requests.ts';
import { Button } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { Checkbox } from '#ui/forms/field.tsx';
import { Panel } from '#ui/page.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { CreateKey } from './create-key.tsx';
import { KeyRow } from './key-row.tsx';
import { isStale, keysQuery, staleDays } from './keys-query.ts';
import type { Secrets } from './use-secrets.ts';

interface KeyManagerProps {
  secrets: Secrets;
  usualLabel: string;
  stale: boolean;
  onStale: (stale: boolean) => void;
}

export function KeyManager({ secrets, usualLabel, stale, onStale }: KeyManagerProps) {
  const list = useQuery(keysQuery);
  const [creating, setCreating] = useState(false);
  useAsked('create key', () => setCreating(true));
  const rows = stale ? list.data?.filter(isStale) : list.data;
  const create = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus className="-ml-1 size-4" aria-hidden />
      Create key
    </Button>
  );
  return (
    <section aria-labelledby="plugin-keys" className="mb-12">
      <div className="mb-3 flex min-h-9 flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 id="plugin-keys" className="font-semibold">
          Plugin keys
        </h2>
        {list.data?.length === 0 || list.isError ? null : (
          <div className={cn('flex flex-wrap items-center gap-x-5 gap-y-3', !list.data && 'invisible')}>
            <Checkbox
              label={`Not used for ${staleDays} days`}
              checked={stale}
              onChange={(event) => onStale(event.target.checked)}
            />
            {create}
          </div>
        )}
      </div>
      <Panel>
        {list.isError ? (
          <Failed title="Failed to load keys" error={list.error} retry={list.refetch} retrying={list.isFetching} />
        ) : !rows ? (
          <KeysSkeleton />
        ) : list.data?.length === 0 ? (
          <Empty title="No plugin keys yet" action={create}>
            One key for all your plugins is enough to start with. Create more to retire them separately.
          </Empty>
        ) : rows.length === 0 ? (
          <Empty title="All keys are in use" action={<Button onClick={() => onStale(false)}>Show all keys</Button>}>
            Every key was used or created in the last {staleDays} days.
          </Empty>
        ) : (
          <ul className="divide-y divide-line">
            {rows.map((key) => (
              <KeyRow key={key.id} item={key} secrets={secrets} />
            ))}
          </ul>
        )}
      </Panel>
      <CreateKey open={creating} onOpenChange={setCreating} usual={usualLabel} onSecret={secrets.show} />
    </section>
  );
}

function KeysSkeleton() {
  return (
    <div role="status" className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4">
      <span className="sr-only">Loading keys</span>
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-2">
        <span className="skeleton h-[22px] w-40" />
        <span className="skeleton h-4 w-56" />
        <span className="skeleton h-4 w-48" />
      </div>
      <span className="skeleton h-8 w-28" />
    </div>
  );
}
