import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { notify } from '#ui/toast.ts';

export function RemoveDomain({ domain, onRemoved }: { domain: string; onRemoved: () => Promise<void> }) {
  const [asking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => api.removeCustomDomain(),
    onSuccess: ({ message }) => {
      notify.success(message);
      return onRemoved();
    },
    onError: (error) => notify.error("The domain couldn't be removed.", error),
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <Button size="sm" variant="danger-ghost" onClick={() => setAsking(true)}>
        Remove
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={`Remove ${domain}?`}
        action="Remove domain"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p>Links to it stop working immediately. The default link keeps working.</p>
      </Confirm>
    </>
  );
}
