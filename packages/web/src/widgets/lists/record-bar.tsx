import { useQuery } from '@tanstack/react-query';
import { type LinkProps, useNavigate } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatCount } from '#lib/format/format.ts';
import { isTaken, singleKeysOn } from '#lib/keyboard/single-keys.ts';
import { extendTrail, markRecord, readTrail, type TrailKind, trailPosition } from '#lib/lists/trail.ts';
import { ownKeys } from '#lib/queries/own-keys.ts';
import { BackLink, LinkButton } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { readPage, searchOf } from './record-pages.ts';

type Way = 'previous' | 'next';

const pageOf: Record<TrailKind, (id: string) => LinkProps> = {
  serials: (serialId) => ({ to: '/dashboard/serials/$serialId', params: { serialId } }),
  customers: (customerId) => ({ to: '/dashboard/customers/$customerId', params: { customerId } }),
  batches: (batchId) => ({ to: '/dashboard/batches/$batchId', params: { batchId } }),
  products: (productId) => ({ to: '/dashboard/products/$productId', params: { productId } }),
};
const oneOf: Record<TrailKind, string> = {
  serials: 'serial',
  customers: 'customer',
  batches: 'batch',
  products: 'product',
};

/** Which way the last record was left by a click: the next one's page has other elements, and the focus goes on. */
let clicked: Way | null = null;

interface RecordBarProps {
  kind: TrailKind;
  id: string;
  /** Where the list is, for who didn't come from it. */
  list: LinkProps;
  back: string;
}

/** Above a record: back to its list, and on to the next record of it. */
export function RecordBar({ kind, id, list, back }: RecordBarProps) {
  const { here, trail, steps } = useSteps(kind, id);
  useEffect(() => {
    const onBack = () => markRecord(id);
    window.addEventListener('popstate', onBack);
    return () => window.removeEventListener('popstate', onBack);
  }, [id]);
  return (
    <div className="mb-4 flex min-h-8 items-center justify-between gap-4">
      {here && trail ? (
        <BackLink to={trail.path as '/'} search={searchOf(trail, here.page) as never} onClick={() => markRecord(id)}>
          {trail.back ?? back}
        </BackLink>
      ) : (
        <BackLink {...list}>{back}</BackLink>
      )}
      {here && trail ? (
        <nav aria-label={`Other ${kind}`} className="flex items-center gap-1.5">
          <span className="figures mr-1 text-sm text-muted">
            <span role="status">{steps.words}</span>{' '}
            <span className={cn(steps.words && 'max-sm:hidden')}>
              {formatCount(here.position)} of {formatCount(trail.total)}
              {trail.exact ? '' : '+'}
            </span>
          </span>
          <Step way="previous" kind={kind} steps={steps} />
          <Step way="next" kind={kind} steps={steps} />
        </nav>
      ) : null}
    </div>
  );
}

interface Steps {
  previous: string | undefined;
  next: string | undefined;
  words: string;
  /** Called if there is no record: it shows why. */
  refuse: (way: Way) => void;
}

function Step({ way, kind, steps }: { way: Way; kind: TrailKind; steps: Steps }) {
  const link = useRef<HTMLAnchorElement>(null);
  const id = steps[way];
  useEffect(() => {
    if (clicked !== way) return;
    clicked = null;
    link.current?.focus({ preventScroll: true });
  }, [way]);
  const Icon = way === 'previous' ? ChevronLeft : ChevronRight;
  const name = `${way === 'previous' ? 'Previous' : 'Next'} ${oneOf[kind]}`;
  const face = {
    ref: link,
    size: 'sm',
    className: 'w-8 px-0 aria-disabled:text-faint aria-disabled:shadow-none',
    'aria-label': name,
    'aria-keyshortcuts': way === 'previous' ? 'k' : 'j',
    title: `${name} (${way === 'previous' ? 'k' : 'j'})`,
  } as const;
  return id ? (
    <LinkButton
      {...face}
      {...pageOf[kind](id)}
      replace
      onClick={() => {
        clicked = way;
      }}
    >
      <Icon className="size-4" aria-hidden />
    </LinkButton>
  ) : (
    <LinkButton
      {...face}
      to="."
      aria-disabled
      onClick={(event) => {
        event.preventDefault();
        steps.refuse(way);
      }}
    >
      <Icon className="size-4" aria-hidden />
    </LinkButton>
  );
}

/** `j` and `k` on the page of a record: on in the order and the filter of the list it was opened from. */
function useSteps(kind: TrailKind, id: string) {
  const navigate = useNavigate();
  const [trail, setTrail] = useState(() => readTrail(kind));
  const [words, setWords] = useState('');
  const here = trail && trailPosition(trail, id);
  // at the border of what was seen, one more page is read ahead
  const border = {
    next: here && !here.next ? trail?.pages.at(-1)?.next : null,
    previous: here && !here.previous ? trail?.pages[0]?.previous : null,
  };
  const beyond = border.next ?? border.previous;
  const more = useQuery({
    queryKey: ownKeys.trail(kind, id, beyond),
    queryFn: async ({ signal }) => (trail && beyond ? readPage(trail, beyond, signal) : null),
    enabled: Boolean(beyond),
    staleTime: 0,
    gcTime: 0,
  });
  useEffect(() => {
    if (more.data) setTrail((known) => (known && more.data ? extendTrail(kind, known, more.data) : known));
  }, [more.data, kind]);

  // who asked before the next page was here goes on once it is
  const [wanted, setWanted] = useState<{ way: Way; from: string } | null>(null);
  const arrived = wanted?.from === id ? here?.[wanted.way] : undefined;
  useEffect(() => {
    if (arrived) navigate({ ...pageOf[kind](arrived), replace: true });
  }, [arrived, kind, navigate]);

  const refuse = (way: Way) => {
    if (!border[way]) return setWords(way === 'next' ? 'The last one' : 'The first one');
    setWanted({ way, from: id });
    setWords(more.isError ? 'Couldn’t be loaded, trying again' : 'Loading');
    if (more.isError) more.refetch();
  };
  const onKey = (event: KeyboardEvent) => {
    const way = ({ j: 'next', k: 'previous' } as const)[event.key];
    if (!way || !here || event.ctrlKey || event.metaKey || event.altKey || !singleKeysOn() || isTaken(event)) return;
    event.preventDefault();
    const to = here[way];
    if (to) navigate({ ...pageOf[kind](to), replace: true });
    else refuse(way);
  };
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => latest.current(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  const steps: Steps = { previous: here?.previous, next: here?.next, words, refuse };
  return { here, trail, steps };
}
