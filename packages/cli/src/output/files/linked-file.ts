import { Failure } from '#exit.ts';
import type { Context } from '#run/context.ts';

/**
 * Fetches a file from where the response redirects to: the server's storage, or the developer's.
 * @throws {Failure} for anything that is not the file, such as a proxy's page.
 */
export async function fetchLinked(
  context: Context,
  answer: Response,
  name: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const link = answer.headers.get('location');
  if (!link) throw new Failure('The server did not return the file’s location.');
  const { href, host, pathname } = new URL(link, await context.url());
  const { fetch } = await context.clientOptions();
  const file = await (fetch as typeof globalThis.fetch)(href, { headers, signal: context.io.signal }).catch((error) => {
    context.io.signal.throwIfAborted();
    throw new Failure(`${host} cannot be reached (${error.cause?.code ?? error.message}).`);
  });
  if (!file.ok || !file.body) throw new Failure(`${host} responded ${file.status} instead of sending the file.`);
  if (
    /^text\/html\b/i.test(file.headers.get('content-type') ?? '') &&
    ![name, pathname].some((each) => /\.html?$/i.test(each))
  )
    throw new Failure(`${host} sent a web page instead of ${name}.`);
  return file;
}
