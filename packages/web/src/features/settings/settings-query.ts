import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { api } from '#lib/api.ts';
import { settingsQuery } from '#lib/queries/account.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { AccountSettings } from '#lib/types.ts';
import { type Saving, useSavedForm } from '#widgets/forms/use-saved-form.ts';

interface Section<Values extends FieldValues> extends Pick<Saving<Values, AccountSettings>, 'check'> {
  settings: AccountSettings;
  fromSettings: (settings: AccountSettings) => Values;
  toChange: (values: Values) => Partial<AccountSettings>;
}

/** Saves one section by itself; `saved` holds for three seconds. */
export function useSection<Values extends FieldValues>({ settings, fromSettings, toChange, ...its }: Section<Values>) {
  const queryClient = useQueryClient();
  const [saved, setSaved] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const form = useSavedForm<Values, AccountSettings>({
    ...its,
    values: fromSettings(settings),
    save: (values) => {
      setSaved(false);
      return api.updateAccountSettings({ body: toChange(values) });
    },
    onSaved: (next) => {
      const before = queryClient.getQueryData(settingsQuery.queryKey)?.time_zone;
      queryClient.setQueryData(settingsQuery.queryKey, next);
      form.reset(fromSettings(next));
      setSaved(true);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setSaved(false), 3000);
      return refreshAfter(queryClient, next.time_zone === before ? 'settingsSaved' : 'timeZoneChanged');
    },
  });
  return { form, saved };
}
