/** A mailto link. The local part may contain characters that are special in a URL: `a&r@label.com`. */
export const mailto = (address: string) => `mailto:${encodeURIComponent(address).replace('%40', '@')}`;
