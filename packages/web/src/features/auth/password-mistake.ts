/** The server's rule for passwords; it also refuses common ones. */
export function passwordMistake(password: string): string | false {
  if (password.length < 10) return 'Use at least 10 characters.';
  return new TextEncoder().encode(password).length > 1024 && 'Use at most 1024 bytes.';
}
