import { useInfiniteQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { pages } from '#lib/queries/operation.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { SerialCode } from '#ui/serials/serial-code.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { useSave } from '#widgets/lists/use-save.ts';
import { SerialList } from './serial-list.tsx';

interface SerialsProps {
  id: string;
  deal: string | undefined;
  name: string;
  total: number;
}

const pageSize = 50;

/** The reseller's serials that customers have redeemed. */
export function RedeemedSerials({ id, deal, name, total }: SerialsProps) {
  const [search, setSearch] = useState('');
  const path = { id };
  const query = { ...(deal ? { deal } : {}), ...(search ? { search } : {}) };
  const list = useInfiniteQuery(pages('listResellerRedeemedSerials', { path, query: { ...query, limit: pageSize } }));
  const save = useSave('redeemed_serials.csv', () =>
    api.stream.listResellerRedeemedSerials({ path, query }, { accept: 'text/csv' }),
  );
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <SerialList
      title="Redeemed serials"
      list={list}
      count={rows.length}
      total={total}
      search={search}
      onSearch={setSearch}
      placeholder="Search a code or customer..."
      none={`Nobody has redeemed a serial of ${name} from you yet.`}
      actions={
        rows.length > 0 ? (
          <Button size="sm" onClick={() => save.mutate()} busy={save.isPending}>
            <Download className="-ml-0.5 size-4" aria-hidden />
            Export<span className="sr-only"> redeemed serials</span>
          </Button>
        ) : null
      }
    >
      {rows.map((row) => (
        <li
          key={row.id}
          className="grid grid-cols-1 min-h-14 items-center gap-x-4 gap-y-1 px-5 py-2.5 sm:grid-cols-[minmax(0,1fr)_auto_7rem]"
        >
          <div className="min-w-0">
            <p className="wrap-anywhere">{[row.first_name, row.last_name].filter(Boolean).join(' ') || row.email}</p>
            <p className="wrap-anywhere text-sm text-muted">{row.email}</p>
          </div>
          <span className="flex flex-wrap items-center gap-2">
            <SerialCode code={row.code} />
            {row.revoked ? (
              <Badge tone="bad" means="The developer has revoked it.">
                Revoked
              </Badge>
            ) : null}
          </span>
          <TimeAgo iso={row.redeemed_at} className="text-sm text-muted sm:text-right" />
        </li>
      ))}
    </SerialList>
  );
}
