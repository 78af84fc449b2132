import { Link } from '@tanstack/react-router';
import { useTitle } from '#lib/hooks.ts';
import { Wordmark } from '#ui/mark.tsx';

const terms = [
  ['Eligibility', 'You must be at least 18 years old to register and to use Tonerow.'],
  ['Billing', 'Payments are processed by our card provider. Tonerow does not store card numbers.'],
  [
    'Autopay',
    'Paid plans renew each month and are charged to your card automatically until you change or cancel them.',
  ],
  ['Refunds', 'Payments are not refunded, except for billing errors that have been verified.'],
  ['Price changes', 'We announce price changes at least 14 days before they take effect.'],
  ['Termination', 'You can delete your account at any time. We may end accounts that break these terms.'],
  ['Governing law', 'These terms are governed by the law of Michigan, USA.'],
] as const;

export function Terms() {
  useTitle('Terms');
  return (
    <main className="mx-auto max-w-[640px] px-5 py-16">
      <Link to="/" aria-label="Tonerow, home" className="rounded-sm">
        <Wordmark />
      </Link>
      <h1 className="mt-10 text-2xl font-semibold tracking-[-0.035em]">Terms</h1>
      <dl className="mt-8">
        {terms.map(([title, text]) => (
          <div
            key={title}
            className="grid grid-cols-1 gap-1 border-t border-line py-5 sm:grid-cols-[160px_1fr] sm:gap-6"
          >
            <dt className="font-medium">{title}</dt>
            <dd className="text-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </main>
  );
}
