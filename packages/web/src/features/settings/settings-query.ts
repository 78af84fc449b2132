import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { api } from '#lib/api.ts';
import { showFieldErrors } from '#lib/errors.ts';
import { settingsQuery } from '#lib/queries/account.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import { endSessionOn401 } from '#lib/query.ts';
import type { AccountSettings } from '#lib/types.ts';

type SettingsChange = Partial<AccountSettings>;

/** Saves one section by itself; `saved` holds for three seconds. */
export function useSaveSection<T extends FieldValues>(
  form: UseFormReturn<T>,
  toChange: (values: T) => SettingsChange,
  fromSettings: (settings: AccountSettings) => T,
) {
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<unknown>(null);
  const [saved, setSaved] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const submit = form.handleSubmit(async (values) => {
    setFailure(null);
    setSaved(false);
    try {
      const before = queryClient.getQueryData(settingsQuery.queryKey)?.time_zone;
      const next = await api.updateAccountSettings({ body: toChange(values) });
      queryClient.setQueryData(settingsQuery.queryKey, next);
      form.reset(fromSettings(next));
      setSaved(true);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setSaved(false), 3000);
      await refreshAfter(queryClient, next.time_zone === before ? 'settingsSaved' : 'timeZoneChanged');
    } catch (error) {
      endSessionOn401(error);
      if (!showFieldErrors(error, form.setError, Object.keys(values))) setFailure(error);
    }
  });
  return { submit, failure, saved };
}
