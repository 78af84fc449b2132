import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRight, Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { api } from '#lib/api.ts';
import { useOnce } from '#lib/hooks.ts';
import { firstStepsQuery, openSteps } from '#lib/queries/account.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { endSessionOn401 } from '#lib/query.ts';
import type { FirstSteps as Progress } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { Panel } from '#ui/page.tsx';
import { notify } from '#ui/toast.ts';

type Step = Progress['steps'][number]['step'];

const words: Record<Step, { title: string; why: string; to?: string; search?: object }> = {
  product: {
    title: 'Add a product',
    why: 'Its name, its price and the files that customers download.',
    to: '/products/add',
  },
  serials: {
    title: 'Generate serials',
    why: 'A batch of up to 1,000,000 codes, as a list and as CSV.',
    to: '/dashboard/serials/generator',
  },
  page: {
    title: 'Brand your redemption page',
    why: 'Your logo, your color and where your customers find help.',
    to: '/dashboard/settings/branding',
  },
  key: {
    title: 'Create a key for your plugin',
    why: 'With code for JUCE, HISE and plain HTTP to paste.',
    to: '/developer/tools/licensingapi',
  },
  redemption: {
    title: 'See the first redemption',
    why: 'Redeem a code that is made for this, at $0, as a customer would.',
  },
};

/**
 * The first steps of a new account. The list ticks itself, and goes away when everything is done or when it is put
 * away.
 */
export function FirstSteps() {
  const queryClient = useQueryClient();
  const progress = useQuery(firstStepsQuery);
  const hide = useMutation({
    mutationFn: (hidden: boolean) => api.hideFirstSteps({ body: { hidden } }),
    onSuccess: (next, hidden) => {
      queryClient.setQueryData(firstStepsQuery.queryKey, next);
      if (hidden)
        notify.success('Hidden. "tonerow account first-steps" still shows it.', { undo: () => hide.mutate(false) });
    },
    onError: (error, hidden) => notify.failed(`It could not be ${hidden ? 'put away' : 'shown again'}`, error),
  });
  // an aid, not a part of the list below: without an answer there is nothing to show
  const steps = openSteps(progress.data);
  if (!steps) return null;
  const done = steps.filter((each) => each.done).length;
  const current = steps.find((each) => !each.done)?.step;
  return (
    <Panel className="mb-8 overflow-hidden">
      <section aria-labelledby="first-steps">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 pt-4 pb-3">
          <div>
            <h2 id="first-steps" className="text-base font-semibold">
              First steps
            </h2>
            <p className="text-sm text-muted">
              {done} of {steps.length} done
            </p>
          </div>
          <Button size="sm" variant="ghost" busy={hide.isPending} onClick={() => hide.mutate(true)}>
            Hide
          </Button>
        </div>
        <ol className="divide-y divide-line border-t border-line">
          {steps.map((each, index) => (
            <li key={each.step}>
              <StepLine {...each} n={index + 1} current={each.step === current} />
            </li>
          ))}
        </ol>
      </section>
    </Panel>
  );
}

interface StepLineProps {
  step: Step;
  done: boolean;
  n: number;
  /** The one to take next. */
  current: boolean;
}

function StepLine({ step, done, n, current }: StepLineProps) {
  const { title, why, to, search } = words[step];
  const inside = (
    <>
      <span
        className={cn(
          'grid size-6 shrink-0 place-items-center rounded-full text-sm font-medium',
          done ? 'bg-good-soft text-good' : current ? 'bg-accent-soft text-accent-text' : 'bg-sunken text-muted',
        )}
      >
        {done ? <Check className="size-4" aria-hidden /> : <span aria-hidden>{n}</span>}
      </span>
      <span className="min-w-0 flex-1">
        <span className={cn('block font-medium', done && 'text-muted')}>
          {title}
          {done ? <span className="sr-only"> (done)</span> : null}
        </span>
        {done ? null : <span className="block text-sm text-muted">{why}</span>}
      </span>
      {done ? null : (
        <ArrowRight
          className="size-4 shrink-0 text-muted transition-transform group-hover:translate-x-0.5"
          aria-hidden
        />
      )}
    </>
  );
  const look = 'group flex min-h-12 items-center gap-4 px-5 py-2.5';
  if (done) return <div className={look}>{inside}</div>;
  const linkLook = cn(look, 'hover:bg-hover focus-visible:-outline-offset-2');
  if (!to) return <FirstRedemption className={cn(linkLook, 'w-full text-left')}>{inside}</FirstRedemption>;
  return (
    <Link to={to} {...(search ? { search } : {})} className={linkLook}>
      {inside}
    </Link>
  );
}

/** Opens the redemption page with a code of one's own filled in. */
function FirstRedemption({ className, children }: { className: string; children: ReactNode }) {
  const queryClient = useQueryClient();
  const open = useOnce(async () => {
    // opened by the click itself: a browser takes a later window for an advertisement
    const tab = window.open('', '_blank');
    try {
      const { redeem_link } = await api.prepareFirstRedemption();
      if (tab) {
        tab.opener = null;
        tab.location.replace(redeem_link);
      } else window.location.assign(redeem_link);
      refreshAfter(queryClient, 'serialsGenerated');
    } catch (error) {
      tab?.close();
      endSessionOn401(error);
      notify.failed("The redemption page couldn't be opened", error);
    }
  });
  return (
    <button type="button" onClick={() => open()} className={className}>
      {children}
      <span className="sr-only">opens a new tab</span>
    </button>
  );
}
