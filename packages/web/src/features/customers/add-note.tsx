import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { api } from '#lib/api.ts';
import { keyedActs, useSingleKey } from '#lib/keyboard/single-keys.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import { Button } from '#ui/button.tsx';
import { Input } from '#ui/forms/field.tsx';
import { FormError } from '#ui/states.tsx';

/** A line that only the developer reads; it appears in the activity. */
export function AddNote({ customerId }: { customerId: string }) {
  const queryClient = useQueryClient();
  const [text, setText] = useState('');
  const add = useMutation({
    mutationFn: (note: string) => api.addCustomerNote({ path: { id: customerId }, body: { text: note } }),
    onSuccess: (_, note) => {
      // what was typed meanwhile is the next note
      setText((now) => (now.trim() === note ? '' : now));
      return refreshAfter(queryClient, 'customerChanged');
    },
  });
  const field = useRef<HTMLInputElement>(null);
  useSingleKey(keyedActs.note.key, field, () => field.current?.focus());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '' && !add.isPending) add.mutate(text.trim());
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3 border-b border-line px-5 pt-1 pb-4">
      <div className="flex gap-2">
        <Input
          ref={field}
          aria-label="Note"
          aria-keyshortcuts={keyedActs.note.key}
          placeholder="Only you can read it"
          maxLength={2000}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="min-w-0 flex-1"
        />
        <Button type="submit" busy={add.isPending} disabled={text.trim() === ''}>
          Add note
        </Button>
      </div>
      <FormError error={add.error} />
    </form>
  );
}
