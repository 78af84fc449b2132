const OWN = /^\/media\/images\/[0-9a-f-]{36}\.webp$/;

export const NO_PICTURE = 'Upload an image, or enter its address such as https://example.com/logo.png.';

/**
 * An uploaded image, or one elsewhere. It is shown in emails, and in pages served over https, which load no http. It is
 * used unchanged, so it has to be complete and unambiguous.
 */
export function isPictureAddress(value: string): boolean {
  if (OWN.test(value)) return true;
  if (!/^https:\/\//i.test(value) || /(^|[/\\])(\.|%2e){2}([/\\?#]|$)/i.test(value) || /[\s\p{Cc}\\]/u.test(value))
    return false;
  try {
    const { hostname, username, password } = new URL(value);
    return hostname.includes('.') && username === '' && password === '';
  } catch {
    return false;
  }
}
