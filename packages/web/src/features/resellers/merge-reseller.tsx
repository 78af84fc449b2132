import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { AnswerOf } from '@tonerow/sdk';
import { useEffect, useState } from 'react';
import { api } from '#lib/api.ts';
import { plural } from '#lib/format/format.ts';
import { useDebounced } from '#lib/hooks.ts';
import { foundResellersQuery } from '#lib/queries/counterparts.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { isBehind } from '#lib/queries/freshness/stale-search.ts';
import type { Reseller } from '#lib/types.ts';
import { Combobox } from '#ui/forms/combobox.tsx';
import { Field } from '#ui/forms/field.tsx';
import { notify } from '#ui/toast.ts';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';

type Merge = AnswerOf<'mergeReseller'>;

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
  const [would, setWould] = useState<Merge | null>(null);
  useEffect(() => {
    if (open) setWould(null);
  }, [open]);
  const merge = async ({ into }: { into: Reseller | null }) => {
    const order = (dry_run: boolean) =>
      api.mergeReseller({ path: { id: reseller.id }, body: { into: into?.id ?? '', dry_run } });
    if (!would) {
      setWould(await order(true));
      return;
    }
    const { reseller: home } = await order(false);
    onOpenChange(false);
    notify.success(`${reseller.company_name} is now part of ${home.company_name}.`);
    await navigate({ to: '/dashboard/resellers/$id', params: { id: home.id } });
    refreshAfter(queryClient, 'resellersMerged');
  };
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Merge ${reseller.company_name} into another reseller`}
      description="For a reseller you named before they had an account, or under another name."
      values={{ into: null as Reseller | null }}
      check={({ into }) => ({ into: !into && 'Choose a reseller.' })}
      save={merge}
      more={!would}
      action={would ? 'Merge' : 'See what changes'}
      danger={would !== null}
    >
      {({ error, watch, setValue }) => (
        <>
          <Field label="Merge into" error={error('into')}>
            {(control) => (
              <ResellerPicker
                {...control}
                value={watch('into')}
                onChange={(chosen) => {
                  setValue('into', chosen, { shouldValidate: true });
                  setWould(null);
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
        </>
      )}
    </FormDialog>
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
  const withAccount = list.data?.filter(({ status }) => status === 'active' || status === 'paused');
  return (
    <Combobox<Reseller>
      {...control}
      items={withAccount ?? []}
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
