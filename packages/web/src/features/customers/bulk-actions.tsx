import { type ReactNode, useState } from 'react';
import { saveFile } from '#lib/files/download.ts';
import { plural } from '#lib/format/format.ts';
import { useCopy } from '#lib/hooks.ts';
import type { Customer } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import type { Picked } from '#ui/lists/list-frame.tsx';
import { notify } from '#ui/toast.ts';
import { MatchingChange } from '#widgets/serials/matching-change.tsx';
import { customersCsv } from './customer-csv.ts';

/** So many a filter may name. */
const MOST = 50;

/** Actions for the customers who were picked, or for all that match. */
export function BulkActions({ picked, exportAll }: { picked: Picked<Customer>; exportAll: ReactNode }) {
  return picked.everything ? exportAll : <OnPicked {...picked} />;
}

function OnPicked({ rows, clear }: Picked<Customer>) {
  const { copy } = useCopy();
  const [asked, setAsked] = useState<'revoke' | 'reassign' | null>(null);
  const take = async () => {
    if (await copy(rows.map(({ email }) => email).join('\n')))
      notify.success(`Copied ${plural(rows.length, 'email address', 'email addresses')}`);
    else notify.error("Your browser didn't allow copying. Export them instead.");
  };
  const save = () => saveFile('customers.csv', [customersCsv(rows)]);
  const serials = rows.some((row) => row.serials > 0) && rows.length <= MOST;
  const why = rows.length > MOST ? `At most ${MOST} customers at once` : undefined;
  return (
    <>
      <Button size="sm" disabled={!serials} title={why} onClick={() => setAsked('revoke')}>
        Revoke serials<span className="sr-only"> of the selected</span>
      </Button>
      <Button size="sm" disabled={!serials} title={why} onClick={() => setAsked('reassign')} className="max-sm:hidden">
        Reassign serials<span className="sr-only"> of the selected</span>
      </Button>
      <Button size="sm" onClick={take} className="max-sm:hidden">
        Copy addresses
      </Button>
      <Button size="sm" onClick={save}>
        <span>
          Export<span className="max-md:sr-only"> selected</span>
        </span>
      </Button>
      <MatchingChange
        filter={{ customer: rows.map(({ id }) => id).join(',') }}
        action={asked}
        onClose={() => setAsked(null)}
        onDone={clear}
      />
    </>
  );
}
