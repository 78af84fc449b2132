/**
 * The present address of a part of the Serials Hub. The parts were tabs of one address, and bookmarks and saved places
 * still lead there.
 * @param search as in the address
 */
export function formerAddress(search: string): string {
  const params = new URLSearchParams(search);
  const tab = params.get('tab');
  const chosen = params.get('in');
  params.delete('tab');
  params.delete('in');
  if (chosen !== null) params.set('product', chosen);
  const part = tab !== null && ['available', 'generator', 'batches'].includes(tab) ? `/${tab}` : '';
  return `/dashboard/serials${part}${params.size > 0 ? `?${params}` : ''}`;
}
