import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { plural } from '#lib/format/format.ts';
import { useDebounced } from '#lib/hooks.ts';
import { foundResellersQuery } from '#lib/queries/partners.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import { isBehind } from '#lib/queries/stale-search.ts';
import type { Reseller } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Combobox } from '#ui/forms/combobox.tsx';
import { Field } from '#ui/forms/field.tsx';
import { FormError } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';

interface MergeResellerProps {
  /** One without an account. */
  reseller: Pick<Reseller, 'id' | 'company_name'>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Makes a named reseller part of one with an account, after showing what that changes. */
export function MergeReseller({ reseller, open, onOpenChange }: MergeResellerProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [into, setInto] = useState<Reseller | null>(null);
  const [tried, setTried] = useState(false);
  const order = (dry_run: boolean) =>
    api.mergeReseller({ path: { id: reseller.id }, body: { into: into?.id ?? '', dry_run } });
  const preview = useMutation({ mutationFn: () => order(true) });
  const merge = useMutation({
    mutationFn: () => order(false),
    onSuccess: async ({ reseller: home }) => {
      close(false);
      notify.success(`${reseller.company_name} is now part of ${home.company_name}.`);
      await navigate({ to: '/dashboard/resellers/$id', params: { id: home.id } });
      await refreshAfter(queryClient, 'resellersMerged');
    },
  });
  const close = (next: boolean) => {
    onOpenChange(next);
    if (next) return;
    preview.reset();
    merge.reset();
    setInto(null);
    setTried(false);
  };
  const would = preview.data;
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={`Merge ${reseller.company_name} into another reseller`}
      description="For a reseller you named before they had an account, or under another name."
    >
      <form
        className="mt-4 flex flex-col gap-5"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (!into || preview.isPending || merge.isPending) return;
          if (would) merge.mutate();
          else preview.mutate();
        }}
      >
        <FormError error={merge.error ?? preview.error} />
        <Field label="Merge into" error={tried && !into ? 'Choose a reseller.' : undefined}>
          {(control) => (
            <ResellerPicker
              {...control}
              value={into}
              onChange={(chosen) => {
                setInto(chosen);
                preview.reset();
                merge.reset();
              }}
            />
          )}
        </Field>
        {would ? (
          <div role="status" className="flex flex-col gap-2 rounded-md border border-line bg-sunken p-4 text-sm">
            <p>
              Moves to {would.reseller.company_name}: {plural(would.batches, 'batch', 'batches')} with{' '}
              {plural(would.serials, 'available serial')}. What is redeemed from then on earns{' '}
              {would.reseller.commission_rate}%
              {would.commission_rate_before === would.reseller.commission_rate
                ? ', as before'
                : ` instead of ${would.commission_rate_before}%`}
              .
            </p>
            <p>
              Stays as it is: {plural(would.redemptions, 'past redemption')}, their commission and statements.{' '}
              {would.reseller.company_name} sees them too.
            </p>
            <p className="font-medium">This can’t be undone. The reseller is notified by email.</p>
          </div>
        ) : null}
        <div className="flex justify-end gap-2">
          <Button onClick={() => close(false)}>Cancel</Button>
          <Button
            type="submit"
            variant={would ? 'danger' : 'primary'}
            busy={preview.isPending || merge.isPending}
            // the preview may arrive between the clicks of a double click, and merging can't be undone
            onClick={(event) => event.detail > 1 && event.preventDefault()}
          >
            {would ? 'Merge' : 'See what changes'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface ResellerPickerProps {
  value: Reseller | null;
  onChange: (reseller: Reseller) => void;
}

/** Picks one of the resellers with an account. */
function ResellerPicker({ value, onChange, ...control }: ResellerPickerProps) {
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed.trim());
  const list = useQuery({ ...foundResellersQuery(search), placeholderData: keepPreviousData });
  const partners = list.data?.filter(({ status }) => status === 'active' || status === 'paused');
  return (
    <Combobox<Reseller>
      {...control}
      items={partners ?? []}
      value={value}
      onChange={onChange}
      onSearch={setTyped}
      behind={isBehind(typed, search, list)}
      itemKey={({ id }) => id}
      itemLabel={({ company_name }) => company_name}
      itemDetail={({ email }) => email}
      placeholder="Choose a reseller"
      empty={
        list.isError
          ? "Resellers couldn't be loaded."
          : list.isPending
            ? 'Loading resellers…'
            : typed
              ? 'No reseller matches.'
              : 'No reseller has an account yet. Invite one first.'
      }
    />
  );
}
