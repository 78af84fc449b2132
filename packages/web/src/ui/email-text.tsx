interface EmailTextProps {
  email: string;
}

/** An address that breaks before its `@` when it has no room on one line, and elsewhere only when it must. */
export function EmailText({ email }: EmailTextProps) {
  const at = email.lastIndexOf('@');
  if (at < 1) return email;
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  );
}
