/** A filter as views keep it: without what is the default. */
export function viewFilter(
  query: Record<string, string | undefined>,
  sort: string | undefined,
): Record<string, string> {
  const given = Object.entries({ ...query, sort }).filter(([, value]) => value !== undefined && value !== 'all');
  return Object.fromEntries(given) as Record<string, string>;
}
