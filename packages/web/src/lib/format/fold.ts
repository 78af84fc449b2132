/** How texts are compared in a search of the page: without case and accents, as the server does. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .toLowerCase();
}
