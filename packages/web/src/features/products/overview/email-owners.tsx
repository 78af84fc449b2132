import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { formatCount, plural } from '#lib/format/format.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { q } from '#lib/queries/operation.ts';
import type { FileVersion } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Field, Textarea } from '#ui/forms/field.tsx';
import { FormError } from '#ui/states.tsx';
import { Day } from '#ui/time-ago.tsx';
import { notify } from '#ui/toast.ts';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';
import { useUnverified } from '#widgets/verify-first.tsx';

/** Asks with the number of owners, and for what is new. */
export function EmailOwners({ version }: { version: FileVersion }) {
  const queryClient = useQueryClient();
  const unverified = useUnverified();
  const [open, setOpen] = useState(false);
  const path = { id: version.id };
  const counted = useQuery({
    ...q('announceFileVersion', { path, body: { dry_run: true } }),
    enabled: open && !unverified,
    // asked anew each time
    staleTime: 0,
    gcTime: 0,
  });
  const owners = counted.data?.owners;
  return (
    <>
      <Button size="sm" aria-label={`Email owners about version ${version.name}`} onClick={() => setOpen(true)}>
        Email owners
      </Button>
      <FormDialog
        open={open}
        onOpenChange={setOpen}
        title={`Email ${owners ? plural(owners, 'owner') : 'the owners'} about version ${version.name}?`}
        values={{ note: '' }}
        save={async ({ note }) => {
          const { owners } = await api.announceFileVersion({ path, body: note.trim() === '' ? {} : { note } });
          notify.success(`Emailing ${plural(owners, 'owner')} about version ${version.name}.`);
          refreshAfter(queryClient, 'fileVersionsChanged');
        }}
        ready={() => Boolean(owners)}
        action={
          owners ? `Email ${plural(owners, 'owner')}` : counted.isFetching ? 'Counting the owners…' : 'Email owners'
        }
        verified
        keeps
      >
        {({ register, error }) =>
          unverified ? null : counted.isError ? (
            <FormError error={counted.error} />
          ) : owners === 0 ? (
            <p className="text-muted">
              Nobody would get it. Emails go to owners who redeemed here or followed a link in an email to them, and did
              not stop such emails.
            </p>
          ) : (
            <>
              <p className="text-muted">
                Once for this version, and at most once a day for this product. Each email opens the owner’s serial, and
                has a link that stops such emails. Owners who have never opened a link from an email to them get a short
                one without your note, at most one a month.
              </p>
              <Field label="What is new" optional error={error('note')}>
                {(control) => <Textarea {...control} {...register('note')} maxLength={2000} />}
              </Field>
            </>
          )
        }
      </FormDialog>
    </>
  );
}

/** How far the emails have come. */
export function Emailed({ emails }: { emails: NonNullable<FileVersion['emails']> }) {
  const { owners, expected, started_at, ended_at } = emails;
  return (
    <span className="block text-muted" role="status">
      {ended_at ? (
        <>
          {plural(owners, 'owner')} emailed on <Day iso={started_at} />
        </>
      ) : (
        `Emailing owners: ${formatCount(owners)} of ${formatCount(Math.max(owners, expected))}`
      )}
    </span>
  );
}
