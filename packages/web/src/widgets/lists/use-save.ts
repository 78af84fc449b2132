import { useMutation } from '@tanstack/react-query';
import { saveFile } from '#lib/files/download.ts';
import { notify } from '#ui/toast.ts';

/** Runs a button's task; errors appear in a toast. */
export function useTask(task: () => Promise<void>, failed: string) {
  return useMutation({ mutationFn: task, onError: (error) => notify.error(failed, error) });
}

/** Saves a streamed response. The browser keeps a large one on disk, not in memory. */
export function useSave(name: string, stream: () => Promise<Response>, failed = 'Export failed.') {
  return useTask(async () => saveFile(name, [await (await stream()).blob()]), failed);
}
