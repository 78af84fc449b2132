const names = new Intl.DisplayNames('en', { type: 'region' });

export function countryName(country: string | null): string {
  if (!country || country === 'none') return 'Unknown';
  try {
    return names.of(country) ?? country;
  } catch {
    // an import may have stored something that isn't a country code
    return country;
  }
}
