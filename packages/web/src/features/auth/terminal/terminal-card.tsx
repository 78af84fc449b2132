import type { ReactNode } from 'react';
import { countryName } from '#lib/format/country.ts';
import type { TerminalSignIn } from '#lib/types.ts';
import { Panel } from '#ui/page.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';

/** The code to compare, and which terminal shows it. */
export function TerminalCard({ terminal }: { terminal: TerminalSignIn }) {
  const { user_code, machine, device, country, ip, created_at, expires_at } = terminal;
  return (
    <Panel className="overflow-hidden">
      <Code code={user_code} />
      <dl className="figures grid grid-cols-1 gap-4 border-t border-line px-4 py-3 sm:grid-cols-2">
        {/* the person who started it chose the name, so it must not read as a word of ours */}
        <Fact label="Machine, by its own word">{machine === null ? 'It gave no name' : `“${machine}”`}</Fact>
        <Fact label="Program">{device}</Fact>
        <Fact label="Place">{country === null ? ip : `${countryName(country)}, ${ip}`}</Fact>
        <Fact label="Started">
          <TimeAgo iso={created_at} />
          <span className="text-muted">
            , expires <TimeAgo iso={expires_at} />
          </span>
        </Fact>
      </dl>
    </Panel>
  );
}

/** While it is looked up: the code is known, and the rest is as tall as it will be. */
export function TerminalCardSkeleton({ code }: { code: string }) {
  return (
    <Panel className="overflow-hidden">
      <Code code={code} />
      <div role="status" className="grid grid-cols-1 gap-4 border-t border-line px-4 py-3 sm:grid-cols-2">
        <span className="sr-only">Looking up the terminal</span>
        {['machine', 'program', 'place', 'started'].map((fact) => (
          <span key={fact} className="skeleton h-11" />
        ))}
      </div>
    </Panel>
  );
}

function Code({ code }: { code: string }) {
  return (
    <p className="px-4 py-5 text-center font-mono text-xl font-semibold tracking-[0.12em]">
      <span className="sr-only">Code: </span>
      {code}
    </p>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}
