import { MailCheck } from 'lucide-react';
import type { Account } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { useResendVerification } from '#widgets/verify-first.tsx';

/** Explains what an account without a verified address can't do yet, and how to change that. */
export function VerifyBanner({ user: account }: { user: Account }) {
  const resend = useResendVerification();
  const closed = account.is_reseller
    ? 'you can’t invite developers, request deals, add webhooks or connect shops'
    : 'you can’t invite resellers, email your customers, add webhooks, connect shops, use your own domain or choose a paid plan';
  return (
    <section
      aria-label="Verify your email address"
      className="flex flex-wrap items-center gap-x-6 gap-y-2.5 border-b border-line bg-warn-soft px-4 py-2.5 text-sm md:px-8"
    >
      <p className="flex min-w-0 flex-1 basis-72 gap-2.5 text-warn">
        <MailCheck className="mt-0.5 size-4 shrink-0" aria-hidden />
        <span className="min-w-0 wrap-anywhere">
          <strong className="font-semibold">Verify your email address.</strong> Until you open the link we emailed to{' '}
          {account.email}, {closed}.
        </span>
      </p>
      <Button size="sm" busy={resend.isPending} onClick={() => resend.mutate(account.email)}>
        Resend email
      </Button>
    </section>
  );
}
