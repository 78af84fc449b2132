import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { plural } from '#lib/format/format.ts';
import { pages } from '#lib/queries/operation.ts';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { SerialCode } from '#ui/serials/serial-code.tsx';
import { TermsLine } from '#ui/serials/terms-line.tsx';
import { Notice } from '#ui/states.tsx';
import { DownloadStock } from '#widgets/sales/download-stock.tsx';
import { SerialList } from './serial-list.tsx';

interface SerialsProps {
  id: string;
  deal: string | undefined;
  name: string;
  total: number;
}

const pageSize = 100;

interface AvailableProps extends SerialsProps {
  /** Unsold ones that are not in the list. */
  notForSale: number;
  expired: boolean;
  /** The zone of the developer, whose dates these are. */
  owner: string;
}

/** The codes that a reseller may sell now, to search and copy. */
export function AvailableSerials({ id, deal, name, total, notForSale, expired, owner }: AvailableProps) {
  const [search, setSearch] = useState('');
  const list = useInfiniteQuery({
    ...pages('listResellerAvailableSerials', {
      path: { id },
      query: {
        limit: pageSize,
        ...(deal ? { deal } : {}),
        ...(search ? { search } : {}),
      },
    }),
  });
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <SerialList
      title="Available serials"
      list={list}
      count={rows.length}
      total={total}
      search={search}
      onSearch={setSearch}
      placeholder="Search a code..."
      none={notForSale > 0 ? `You have no serials of ${name} to sell now.` : `You have no serials of ${name} left.`}
      actions={
        rows.length > 0 ? (
          <div className="flex flex-wrap items-center gap-2">
            <DownloadStock id={id} deal={deal} />
            <CopyButton
              text={rows.map((row) => row.code).join('\n')}
              label={rows.length === 1 ? 'Copy 1 code' : `Copy ${plural(rows.length, 'code')}`}
            />
          </div>
        ) : null
      }
      notice={
        notForSale > 0 ? (
          <Notice tone={expired ? 'warn' : 'plain'}>
            {plural(notForSale, 'unsold serial')} can't be sold now:{' '}
            {expired
              ? 'this deal is over. Those you sold before still work.'
              : 'a deal has to begin before its serials are listed here, and ends when its promo expires.'}
          </Notice>
        ) : null
      }
    >
      {rows.map((serial) => (
        <li key={serial.id} className="flex min-h-14 items-center justify-between gap-3 px-5 py-2">
          <div className="min-w-0">
            <SerialCode code={serial.code} />
            <TermsLine serial={serial} owner={owner} />
          </div>
          <CopyButton compact text={serial.code} what={serial.code} />
        </li>
      ))}
    </SerialList>
  );
}
