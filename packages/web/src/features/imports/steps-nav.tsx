import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ImportPlan } from '#lib/types.ts';
import { LinkButton } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { type Step, steps } from './step-names.ts';
import { barrier, stepWords } from './steps.ts';

/** The four steps. One that is not open yet shows why. */
export function StepsNav({ id, plan, current }: { id: string; plan: ImportPlan; current: Step }) {
  return (
    <nav aria-label="Steps" className="mb-6">
      <ol className="grid grid-cols-4 gap-1.5 sm:gap-2">
        {steps.map((step, index) => {
          const why = barrier(step, plan);
          const face = (
            <>
              <span className="figures text-xs text-muted max-sm:hidden">{index + 1}</span>
              {stepWords[step]}
            </>
          );
          const look = cn(
            'flex h-10 items-center justify-center gap-2 rounded-md border px-2 text-sm font-medium',
            step === current ? 'border-accent bg-accent-soft text-text' : 'border-line bg-surface text-muted',
          );
          return (
            <li key={step} className="min-w-0">
              {why === null ? (
                <Link
                  to="/dashboard/imports/$importId"
                  params={{ importId: id }}
                  search={{ step }}
                  aria-current={step === current ? 'step' : undefined}
                  className={cn(look, 'transition-colors hover:text-text')}
                >
                  {face}
                </Link>
              ) : (
                <span className={cn(look, 'border-dashed bg-transparent')} title={why}>
                  {face}
                  <span className="sr-only">: not open yet. {why}</span>
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

interface StepEndProps {
  id: string;
  plan: ImportPlan;
  back?: Step;
  next?: Step;
  /** Why the way on is not open yet, beside what the plan lacks. */
  wait?: string | null;
  /** Buttons of the step itself, shown instead of the way on. */
  children?: ReactNode;
}

/** The end of a step: back, and on, or why not. */
export function StepEnd({ id, plan, back, next, wait = null, children }: StepEndProps) {
  const why = next ? (barrier(next, plan) ?? wait) : null;
  const at = (step: Step) =>
    ({ to: '/dashboard/imports/$importId', params: { importId: id }, search: { step } }) as const;
  return (
    <div className="mt-8 flex flex-wrap items-center justify-end gap-x-3 gap-y-2 border-t border-line pt-5">
      {why ? <p className="mr-auto text-sm text-muted">{why}</p> : null}
      {back ? <LinkButton {...at(back)}>Back</LinkButton> : null}
      {children}
      {next && why === null ? (
        <LinkButton {...at(next)} variant="primary">
          Next: {stepWords[next]}
        </LinkButton>
      ) : null}
    </div>
  );
}
