import { UsageError } from '#exit.ts';

/**
 * The address of a server, without a slash at its end.
 * @param source where it comes from, such as `TONEROW_URL`.
 * @throws {UsageError} for anything that is not a complete address, suggesting the one that was probably meant.
 */
export function serverAddress(text: string, source: string): string {
  const address = text.trim().replace(/\/+$/, '');
  const refused = (why: string) => new UsageError(`${source} is "${text}", ${why}`);
  if (!/^https?:\/\//i.test(address)) {
    const rest = address.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/^(https?:)?\/*/i, '');
    const meant = `${isNear(rest) ? 'http' : 'https'}://${rest}`;
    throw refused(
      URL.canParse(meant) && rest !== ''
        ? `which is not a complete URL. Use ${meant}.`
        : 'which is not a URL. Use one such as https://licenses.example.com.',
    );
  }
  if (!URL.canParse(address)) throw refused('which is not a URL. Use one such as https://licenses.example.com.');
  const url = new URL(address);
  if (url.username || url.password)
    throw new UsageError(
      `The address from ${source} contains a password. Pass the credential with TONEROW_TOKEN instead.`,
    );
  if (url.search || url.hash)
    throw refused('which has more than a host and a path. Remove everything from "?" or "#" on.');
  return address;
}

/** A host on this machine or in the local network, where there is rarely a certificate. */
function isNear(address: string): boolean {
  const { hostname } = URL.canParse(`http://${address}`) ? new URL(`http://${address}`) : { hostname: '' };
  return !hostname.includes('.') || /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$/.test(hostname);
}
