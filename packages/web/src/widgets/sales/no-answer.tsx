import { WifiOff } from 'lucide-react';
import { Button } from '#ui/button.tsx';
import { Mark } from '#ui/mark.tsx';
import { useOutbox } from './use-outbox.ts';

/** An order that is on its way, and what to do while no answer comes. */
export function NoAnswer({ reference }: { reference: string }) {
  const { waiting, tryNow } = useOutbox();
  const tries = waiting.find(({ order }) => order.reference === reference)?.tries ?? 0;
  if (tries === 0) {
    return (
      <p role="status" className="flex items-center gap-3 text-md">
        <Mark className="h-5 text-accent-text" playing />
        Taking a code…
      </p>
    );
  }
  return (
    <div role="status" className="flex flex-col gap-3 rounded-lg bg-warn-soft p-4 text-warn">
      <p className="flex items-center gap-2 text-md font-semibold">
        <WifiOff className="size-5 shrink-0" aria-hidden />
        No answer yet
      </p>
      <p className="text-base">
        It may have been sold. The same sale is asked for again until there is an answer, so no second code is used.
      </p>
      <Button onClick={tryNow} className="h-11 self-start">
        Try now
      </Button>
    </div>
  );
}
