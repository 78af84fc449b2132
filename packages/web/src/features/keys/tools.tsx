import { Link } from '@tanstack/react-router';
import { ArrowRight, KeyRound } from 'lucide-react';
import { useTitle } from '../../lib/hooks.ts';
import { PageHeader, Panel } from '../../ui/page.tsx';

export function Tools() {
  useTitle('Tools');
  return (
    <>
      <PageHeader title="Tools">Connect your plugins to their licences.</PageHeader>
      <ul className="grid gap-5 sm:grid-cols-2">
        <li>
          <Link to="/developer/tools/licensingapi" className="group block h-full rounded-lg">
            <Panel className="flex h-full items-start gap-4 p-5 transition-colors group-hover:border-line-strong group-hover:bg-hover">
              <span className="grid size-10 shrink-0 place-items-center rounded-md bg-accent-soft text-accent-text">
                <KeyRound className="size-5" aria-hidden />
              </span>
              <span className="min-w-0 flex-1">
                <span className="block font-semibold">Licensing API</span>
                <span className="mt-0.5 block text-muted">
                  Plugin keys, and the three calls that activate, validate and free a seat.
                </span>
              </span>
              <ArrowRight
                className="mt-0.5 size-4 shrink-0 text-muted transition-transform group-hover:translate-x-0.5"
                aria-hidden
              />
            </Panel>
          </Link>
        </li>
      </ul>
    </>
  );
}
