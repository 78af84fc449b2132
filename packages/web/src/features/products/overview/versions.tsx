import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api } from '#lib/api.ts';
import { plural } from '#lib/format/format.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { q } from '#lib/queries/operation.ts';
import type { FileVersion } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { HelpLink } from '#ui/buttons/help-link.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { Field, Input, Textarea } from '#ui/forms/field.tsx';
import { Failed, FormError } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { notify } from '#ui/toast.ts';
import { useSavedForm } from '#widgets/forms/use-saved-form.ts';
import { Emailed, EmailOwners } from './email-owners.tsx';

/** The product's files under each version, and the way back to an older one. */
export function Versions({ productId, hasFiles }: { productId: string; hasFiles: boolean }) {
  const list = useQuery({
    ...q('listFileVersions', { path: { id: productId } }),
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ emails }) => emails !== null && emails.ended_at === null) ? 2000 : false,
  });
  const versions = list.data;
  const isRecorded = versions?.some((version) => version.is_current) ?? false;
  return (
    <section aria-labelledby="product-file-versions">
      <h2 id="product-file-versions" className="mb-1 font-semibold">
        File versions
      </h2>
      {versions ? (
        <>
          {versions.length === 0 ? (
            <p className="text-sm text-muted">
              {hasFiles
                ? 'No versions yet. Record one, and you can return to its files later.'
                : 'No versions yet. Add files first, then record them as a version.'}{' '}
              <HelpLink guide="new-version" />
            </p>
          ) : (
            <ul className="divide-y divide-line border-b border-line">
              {versions.map((version) => (
                <VersionRow key={version.id} version={version} />
              ))}
            </ul>
          )}
          {hasFiles && !isRecorded ? <RecordForm productId={productId} /> : null}
        </>
      ) : list.isError ? (
        <Failed
          title="Versions couldn't be loaded"
          error={list.error}
          retry={list.refetch}
          retrying={list.isFetching}
          className="py-6"
        />
      ) : (
        <div role="status">
          <span className="sr-only">Loading the versions</span>
          <span className="skeleton mt-2 block h-11" />
        </div>
      )}
    </section>
  );
}

function RecordForm({ productId }: { productId: string }) {
  const queryClient = useQueryClient();
  const id = useId();
  const form = useSavedForm({
    values: { name: '', notes: '' },
    check: ({ name }) => ({ name: !name.trim() && 'Enter a version.' }),
    save: async (body) => {
      const made = await api.createFileVersion({ path: { id: productId }, body });
      notify.success(`Version ${made.name} recorded.`);
      await refreshAfter(queryClient, 'fileVersionsChanged');
    },
  });
  return (
    <form {...form.frame} aria-labelledby={id} className="mt-3 flex flex-col gap-2">
      <p id={id} className="text-sm text-muted">
        The files that customers get now are not recorded as a version.
      </p>
      <FormError error={form.failure} />
      <Field label="Version" error={form.error('name')}>
        {(control) => <Input {...control} {...form.register('name')} maxLength={50} placeholder="1.2.0" />}
      </Field>
      <Field label="What is new" optional hint="Plugins that look for updates show it." error={form.error('notes')}>
        {(control) => <Textarea {...control} {...form.register('notes')} maxLength={2000} />}
      </Field>
      <Button type="submit" busy={form.busy} className="self-start">
        Record version
      </Button>
    </form>
  );
}

const SYSTEMS = { macos: 'macOS', windows: 'Windows', linux: 'Linux' };
const PROCESSORS = { arm64: 'ARM', x86_64: 'Intel or AMD' };

/** A file with the computers that plugins are offered it on. */
function withPlatform({ name, os, arch }: FileVersion['files'][number]): string {
  if (!os) return name;
  return `${name} (${[SYSTEMS[os], arch && PROCESSORS[arch]].filter(Boolean).join(', ')})`;
}

function VersionRow({ version }: { version: FileVersion }) {
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<'use' | 'delete' | null>(null);
  const path = { id: version.id };
  const act = useMutation({
    mutationFn: async (action: 'use' | 'delete') => {
      await (action === 'use' ? api.setCurrentFileVersion({ path }) : api.deleteFileVersion({ path }));
    },
    onSuccess: async (_, action) => {
      await refreshAfter(queryClient, 'fileVersionsChanged');
      notify.success(
        action === 'use' ? `Customers get version ${version.name} now.` : `Version ${version.name} deleted.`,
      );
    },
    onError: (error, action) =>
      notify.error(action === 'use' ? 'Failed to change the files.' : 'Failed to delete the version.', error),
    onSettled: () => setAsked(null),
  });
  return (
    <li className="flex min-h-11 flex-wrap items-center justify-between gap-x-6 gap-y-2 py-2 text-sm">
      <span className="min-w-0">
        <span className="figures font-medium wrap-anywhere">{version.name}</span>{' '}
        {version.is_current ? (
          <Badge tone="good" means="Customers download these files.">
            Current
          </Badge>
        ) : null}
        <span className="block wrap-anywhere text-muted">
          {version.files.map(withPlatform).join(', ')} · <TimeAgo iso={version.created_at} />
        </span>
        {version.notes ? <span className="block whitespace-pre-line wrap-anywhere">{version.notes}</span> : null}
        {version.emails ? <Emailed emails={version.emails} /> : null}
      </span>
      <span className="flex shrink-0 flex-wrap gap-2">
        {version.is_current && !version.emails ? <EmailOwners version={version} /> : null}
        {version.is_current ? null : (
          <Button size="sm" aria-label={`Make current: version ${version.name}`} onClick={() => setAsked('use')}>
            Make current
          </Button>
        )}
        <Button size="sm" aria-label={`Delete version ${version.name}`} onClick={() => setAsked('delete')}>
          Delete
        </Button>
      </span>
      <Confirm
        open={asked !== null}
        onOpenChange={(open) => {
          if (!open) setAsked(null);
        }}
        title={asked === 'delete' ? `Delete version ${version.name}?` : `Give customers version ${version.name}?`}
        action={asked === 'delete' ? 'Delete version' : 'Make current'}
        busy={act.isPending}
        onConfirm={() => (asked ? act.mutate(asked) : undefined)}
      >
        <p>
          {asked === 'delete'
            ? 'What customers get now stays. You can’t return to the files of this version afterwards.'
            : `Its ${plural(version.files.length, 'file')} replace what customers can download now.`}
        </p>
      </Confirm>
    </li>
  );
}
