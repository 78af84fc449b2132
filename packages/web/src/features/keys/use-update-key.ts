import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import type { PluginKey } from '#lib/types.ts';
import { keysQuery } from './keys-query.ts';

export function useUpdateKey(item: PluginKey) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { label?: string; is_active?: boolean }) => api.updatePluginKey({ path: { id: item.id }, body }),
    onSuccess: (saved) =>
      queryClient.setQueryData(
        keysQuery.queryKey,
        (page) => page && { ...page, keys: page.keys.map((key) => (key.id === saved.id ? saved : key)) },
      ),
  });
}
