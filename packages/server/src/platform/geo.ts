/** Port: the country of an address, ISO 3166-1 alpha-2, or null. */
export type CountryOf = (request: {
  ip: string;
  headers: Record<string, string | string[] | undefined>;
}) => string | null;

/** Reads the country that a trusted proxy writes into a header. Without one, nobody knows. */
export function countryFromHeader(header: string | undefined, trusted: boolean): CountryOf {
  if (!header || !trusted) return () => null;
  return ({ headers }) => {
    const value = headers[header];
    return typeof value === 'string' && /^[A-Za-z]{2}$/.test(value) && value.toUpperCase() !== 'XX'
      ? value.toUpperCase()
      : null;
  };
}
