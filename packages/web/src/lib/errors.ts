import { TonerowError, UnexpectedAnswerError } from '@tonerow/sdk';
import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';

interface Problem {
  message: string;
  requestId: string | undefined;
  status: number | undefined;
  code: string | undefined;
}

/** The text to show for anything that was thrown: the server's message, or a generic one. */
export function describeError(error: unknown): Problem {
  if (error instanceof TonerowError) {
    return {
      message:
        error instanceof UnexpectedAnswerError
          ? 'Something between this page and Tonerow, such as a proxy or a network sign-in page, responded instead. Reload the page, then try again.'
          : messageOf(error),
      requestId: error.requestId ?? undefined,
      status: error.status,
      code: error.code,
    };
  }
  const message = error instanceof Error ? error.message : 'Something went wrong.';
  return { message, requestId: undefined, status: undefined, code: undefined };
}

function messageOf({ status, problem, message }: TonerowError): string {
  if (!status) return "Can't reach Tonerow. Check your connection and try again.";
  // A proxy that cannot reach the server sends its own message or none: a bare status helps nobody.
  if (status >= 500 && !problem) return "Tonerow can't answer right now. Try again in a moment.";
  return message;
}

/** The server no longer knows who this is: the page asks them to sign in again, so no form has to. */
export function endedSession(error: unknown): boolean {
  return (
    error instanceof TonerowError &&
    error.status === 401 &&
    ['unauthorized', 'invalid_token'].includes(error.code ?? '')
  );
}

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof TonerowError && error.status === status;
}

/** `/body/file_urls/0/url`, `body.file_urls[0].url` and `file_urls.0.url` all name the same field. */
function fieldPath(path: string): string {
  return path
    .replace(/\[(\w+)\]/g, '.$1')
    .replaceAll('/', '.')
    .replace(/^\.*(body\.)?/, '');
}

/** Puts the server's per-field messages at their fields. Returns whether every one of them found a field. */
export function showFieldErrors<T extends FieldValues>(
  error: unknown,
  setError: UseFormSetError<T>,
  known: readonly string[],
  rename: (path: string) => string = (path) => path,
): boolean {
  if (!(error instanceof TonerowError) || !error.errors?.length) return false;
  let all = true;
  for (const item of error.errors) {
    const path = rename(fieldPath(item.path));
    if (known.includes(path.split('.')[0] ?? '')) setError(path as Path<T>, { type: 'server', message: item.message });
    else all = false;
  }
  return all;
}
