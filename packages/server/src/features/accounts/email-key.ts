/** The form in which email addresses are compared and unique. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}
