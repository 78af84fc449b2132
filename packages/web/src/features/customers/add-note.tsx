import { useQueryClient } from '@tanstack/react-query';
import { useId, useRef } from 'react';
import { api } from '#lib/api.ts';
import { keyedActs, useSingleKey } from '#lib/keyboard/single-keys.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { Button } from '#ui/button.tsx';
import { FieldError, Input } from '#ui/forms/field.tsx';
import { FormError } from '#ui/states.tsx';
import { useSavedForm } from '#widgets/forms/use-saved-form.ts';

/** A line that only the developer reads; it appears in the activity. */
export function AddNote({ customerId }: { customerId: string }) {
  const queryClient = useQueryClient();
  const form = useSavedForm({
    values: { text: '' },
    save: ({ text }) => api.addCustomerNote({ path: { id: customerId }, body: { text: text.trim() } }),
    onSaved: (_, { text }) => {
      // text typed meanwhile is the next note
      if (form.getValues('text') === text) form.reset();
      return refreshAfter(queryClient, 'customerChanged');
    },
  });
  const field = useRef<HTMLInputElement>(null);
  useSingleKey(keyedActs.note.key, field, () => field.current?.focus());
  const { ref, ...text } = form.register('text');
  const errorId = useId();
  const wrong = form.error('text');
  return (
    <form {...form.frame} className="flex flex-col gap-3 border-b border-line px-5 pt-1 pb-4">
      <div className="flex gap-2">
        <Input
          {...text}
          ref={(element) => {
            ref(element);
            field.current = element;
          }}
          aria-label="Note"
          aria-invalid={wrong ? true : undefined}
          aria-describedby={wrong ? errorId : undefined}
          aria-keyshortcuts={keyedActs.note.key}
          placeholder="Only you can read it"
          maxLength={2000}
          className="min-w-0 flex-1"
        />
        <Button type="submit" busy={form.busy} disabled={form.watch('text').trim() === ''}>
          Add note
        </Button>
      </div>
      {wrong ? <FieldError id={errorId}>{wrong}</FieldError> : null}
      <FormError error={form.failure} />
    </form>
  );
}
