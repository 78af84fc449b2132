/** A link to write to an address, whose local part may hold what means something else in a URL: `a&r@label.com`. */
export const mailto = (address: string) => `mailto:${encodeURIComponent(address).replace('%40', '@')}`;
