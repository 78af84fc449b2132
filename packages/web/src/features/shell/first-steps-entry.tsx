import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { firstStepsQuery, openSteps } from '#lib/queries/account.ts';
import { cn } from '#ui/cn.ts';

/** How far a new account is, wherever one is; gone when everything is done or it was put away. */
export function FirstStepsEntry() {
  const progress = useQuery(firstStepsQuery);
  const steps = openSteps(progress.data);
  if (!steps) return null;
  const done = steps.filter((each) => each.done).length;
  return (
    <Link
      to="/dashboard/customers"
      hash="first-steps"
      className="mx-3 mt-auto mb-3 flex shrink-0 flex-col gap-2 rounded-md border border-line px-2.5 py-2.5 transition-colors hover:bg-hover"
    >
      <span className="flex items-baseline justify-between gap-3">
        <span className="font-medium">First steps</span>
        <span className="figures text-sm text-muted">
          {done} of {steps.length}
          <span className="sr-only"> done</span>
        </span>
      </span>
      <span className="flex gap-1" aria-hidden>
        {steps.map((each) => (
          <span
            key={each.step}
            className={cn('h-1.5 flex-1 rounded-[2px]', each.done ? 'bg-accent' : 'bg-line-strong')}
          />
        ))}
      </span>
    </Link>
  );
}
