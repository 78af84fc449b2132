// storage can be blocked: the page works without it, it only forgets

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function store(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // forgotten with the page
  }
}

/** The token that reopens the downloads, and a hint about their owner. */
export interface Remembered {
  token: string;
  who: string | null;
}

// a custom domain has its own origin; on ours, each developer has a key
const keyOf = (dev: string | undefined) => (dev ? `download_token:${dev}` : 'download_token');

export function remembered(dev: string | undefined): Remembered | null {
  const [token = '', who = ''] = (readStored(keyOf(dev)) ?? '').split(' ');
  return token === '' ? null : { token, who: who || null };
}

export function remember(dev: string | undefined, { token, who }: Remembered): void {
  store(keyOf(dev), `${token} ${who ?? ''}`);
}

export function forget(dev: string | undefined): void {
  store(keyOf(dev), null);
}

const deviceKey = (dev: string | undefined) => (dev ? `device_code:${dev}` : 'device_code');
/** As long as the plugin waits. */
const DEVICE_LIFETIME = 15 * 60_000;

/** The code of a plugin that waits, for when the page is opened again by the link from an email. */
export function rememberDevice(dev: string | undefined, code: string | null): void {
  store(deviceKey(dev), code === null ? null : `${Date.now()} ${code}`);
}

export function waitingDevice(dev: string | undefined): string | null {
  const [since = '', code = ''] = (readStored(deviceKey(dev)) ?? '').split(' ');
  return code !== '' && Date.now() - Number(since) < DEVICE_LIFETIME ? code : null;
}

/** `n•••@example.com`: enough to know one's own address again, on a screen that others may see. */
export function hintOf(email: string): string {
  const address = email.trim();
  return `${[...address][0] ?? ''}•••${address.slice(address.lastIndexOf('@'))}`.replaceAll(' ', '');
}
