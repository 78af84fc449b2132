import { useMutation } from '@tanstack/react-query';
import { saveFile } from '../../lib/download.ts';
import { notify } from '../../ui/toast.ts';

/** Saves what the server streams. The browser keeps a large answer on disk, not in memory. */
export function useExport(name: string, stream: () => Promise<Response>, failed = 'Export failed.') {
  return useMutation({
    mutationFn: async () => saveFile(name, [await (await stream()).blob()]),
    onError: (error) => notify.error(failed, error),
  });
}
