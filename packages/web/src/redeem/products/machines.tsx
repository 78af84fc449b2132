import type { MyMachine } from '@tonerow/sdk';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { fill } from '#lib/redeem-texts/words.ts';
import { releaseMachine } from '../api.ts';
import { useWords } from '../words.tsx';
import { Confirm } from './confirm.tsx';

interface Props {
  /** The level of its title: under a product's, or under the page's. */
  level?: 'h2' | 'h3';
  machines: MyMachine[];
  link: string;
  onFreed: () => Promise<void>;
  onFailed: (error: unknown) => Promise<void>;
  children: ReactNode;
}

/** The computers with a seat on one serial. */
export function Machines({ level: Title = 'h3', machines, link, onFreed, onFailed, children }: Props) {
  const { t, count, day } = useWords();
  const [asked, setAsked] = useState<MyMachine | null>(null);
  const [busy, setBusy] = useState(false);

  const title = useRef<HTMLHeadingElement>(null);
  const freed = useRef(false);

  useEffect(() => {
    // the pressed button disappears with its computer
    if (asked === null && freed.current) title.current?.focus();
    freed.current = false;
  }, [asked]);

  const free = async (machine: MyMachine) => {
    setBusy(true);
    try {
      await releaseMachine(link, machine.id);
      await onFreed();
      freed.current = true;
    } catch (error) {
      await onFailed(error);
    } finally {
      setBusy(false);
      setAsked(null);
    }
  };

  return (
    <section className="machines">
      <Title ref={title} tabIndex={-1}>
        {machines.length === 0 ? t.noMachines : count(t.machines, machines.length)}
      </Title>
      <ul>
        {machines.map((machine) => (
          <li key={machine.id}>
            <div>
              <bdi className="machine">{machine.name}</bdi>
              <span>
                {machine.version ? <bdi>{fill(t.version, { version: machine.version })}</bdi> : null}
                <time dateTime={machine.last_seen_at}>{fill(t.lastSeen, { date: day(machine.last_seen_at) })}</time>
              </span>
            </div>
            <button type="button" className="copy" disabled={busy} onClick={() => setAsked(machine)}>
              {t.free}
              <span className="unseen"> {machine.name}</span>
            </button>
          </li>
        ))}
      </ul>
      {children}
      {asked ? (
        <Confirm
          title={t.freeTitle}
          text={fill(t.freeText, { machine: asked.name })}
          action={busy ? t.freeing : t.free}
          busy={busy}
          onConfirm={() => void free(asked)}
          onCancel={() => setAsked(null)}
        />
      ) : null}
    </section>
  );
}
