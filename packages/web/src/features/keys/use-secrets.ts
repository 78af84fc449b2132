import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { notify } from '#ui/toast.ts';

/** The secrets that are shown. The server logs each fetch, so none is fetched before it is revealed. */
export function useSecrets() {
  const [known, setKnown] = useState<Record<string, string>>({});
  const show = (id: string, secret: string) => setKnown((before) => ({ ...before, [id]: secret }));
  const hide = (id: string) => setKnown(({ [id]: _gone, ...rest }) => rest);
  const fetching = useMutation({
    mutationFn: (id: string) => api.revealPluginKey({ path: { id } }),
    onSuccess: ({ plaintext }, id) => show(id, plaintext),
    onError: (error) => notify.failed("Couldn't fetch secret", error),
  });
  return {
    known,
    show,
    hide,
    reveal: (id: string) => fetching.mutate(id),
    isRevealing: (id: string) => fetching.isPending && fetching.variables === id,
  };
}

export type Secrets = ReturnType<typeof useSecrets>;
