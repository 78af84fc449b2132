import { writeClipboard } from '#lib/hooks.ts';
import { notify } from '../toast.ts';

/** Copies text from where nothing can show that it was: a message does, also when the browser refused. */
export async function copyNoted(text: string, what = text): Promise<void> {
  if (await writeClipboard(text)) notify.success(`Copied ${what}`);
  else notify.error("Your browser didn't allow copying. Select the text instead.");
}
