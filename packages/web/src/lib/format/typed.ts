/** Text that was typed into fields: how the server takes it, and its mistakes. */

export const trimmed = <Values extends Record<string, string>>(values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, text]) => [name, text.trim()])) as Values;

/** The mistake in an email address, which may be left out. */
export const emailMistake = (text: string) =>
  !/^([^\s@]+@[^\s@]+\.[^\s@]+)?$/.test(text.trim()) && "This doesn't look like an email address.";

/** The mistake in a web address, which may be left out. */
export const websiteMistake = (text: string) =>
  text.trim() !== '' && !URL.canParse(withScheme(text)) && 'Enter a web address, such as https://example.com.';

export function withScheme(text: string): string {
  const address = text.trim();
  return /^https?:\/\//i.test(address) ? address : `https://${address}`;
}

/** The mistake in a new password. The server also refuses common ones. */
export function passwordMistake(password: string): string | false {
  if (password.length < 10) return 'Use at least 10 characters.';
  return new TextEncoder().encode(password).length > 1024 && 'Use at most 1024 bytes.';
}
