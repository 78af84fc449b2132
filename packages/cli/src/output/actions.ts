import { appendFile } from 'node:fs/promises';
import { commands } from '#commands/index.ts';
import type { Io } from '#io.ts';
import type { Context } from '#run/context.ts';

/** A failure in a job of GitHub Actions, on the page of the run and in the job's summary. With `json`, stderr has the error as JSON and nothing else. */
export async function annotateFailure(
  io: Io,
  words: readonly string[],
  { code, message, json }: { code: number; message: string; json: boolean },
): Promise<void> {
  const name = nameOf(words);
  if (!json) io.stderr.write(`::error title=${property(name)}::${data(message)}\n`);
  await summarize(io, `- ❌ \`${name}\` failed with exit code ${code}: ${inline(message)}\n`, json);
}

/** Writes what a command changed into the summary of the job. */
export async function summarizeSuccess({ io, noted: notes, globals: { json } }: Context, path: string): Promise<void> {
  const what = notes.length > 0 ? `: ${inline(notes.join(' '))}` : '';
  await summarize(io, `- ✅ \`tonerow ${path}\`${what}\n`, json);
}

async function summarize(io: Io, line: string, json: boolean): Promise<void> {
  const file = io.env.GITHUB_STEP_SUMMARY;
  if (!file) return;
  await appendFile(file, line).catch((error: NodeJS.ErrnoException) => {
    const message = `The job's summary cannot be written (${error.code}).`;
    io.stderr.write(json ? `${JSON.stringify({ code: 'summary_unwritable', message })}\n` : `${message}\n`);
  });
}

/** Only the command's own words: what follows them can be a code or an address. */
function nameOf(words: readonly string[]): string {
  const typed = words.filter((word) => !word.startsWith('-'));
  const path = commands
    .map((command) => command.path)
    .filter((each) => each.split(' ').every((word, at) => word === typed[at]))
    .sort((a, b) => b.length - a.length)[0];
  return path === undefined ? 'tonerow' : `tonerow ${path}`;
}

// as a runner reads them
const data = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Text in one line of Markdown, as it is. */
const inline = (text: string) =>
  text
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/[\\`*_[\]<>|]/g, '\\$&');
