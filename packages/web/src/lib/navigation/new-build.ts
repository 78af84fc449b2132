const ENTRY = /<script\b[^>]*\btype="module"[^>]*\bsrc="([^"]+)"/;

/** Whether the server has another build than this tab: its first file has another name then. */
export async function isNewer(): Promise<boolean> {
  const own = document.querySelector('script[type="module"][src]')?.getAttribute('src');
  const response = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } });
  const served = response.ok ? ENTRY.exec(await response.text())?.[1] : undefined;
  return Boolean(own && served && own !== served);
}
