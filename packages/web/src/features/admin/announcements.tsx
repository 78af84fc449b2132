import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '@tonerow/sdk';
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { plural } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import { q } from '#lib/queries/operation.ts';
import { Button } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { PageHeader, Panel } from '#ui/page.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { AdminTabs } from './admin-tabs.tsx';
import { AnnouncementForm } from './announcement-form.tsx';
import { audiences } from './audiences.ts';
import { Pager, type Place } from './pager.tsx';

type Announcement = AnswerOf<'listAnnouncements'>['rows'][number];

interface AnnouncementsProps {
  place: Place;
  onPlace: (place: Place) => void;
}

export function Announcements({ place, onPlace }: AnnouncementsProps) {
  useTitle('Announcements');
  return (
    <>
      <PageHeader title="Announcements">
        Emails to everyone who is subscribed to news. Each one has an unsubscribe link.
      </PageHeader>
      <AdminTabs />
      <AnnouncementForm />
      <section aria-labelledby="announced" className="mt-12">
        <h2 id="announced" className="mb-4 font-semibold">
          Sent so far
        </h2>
        <Announced place={place} onPlace={onPlace} />
      </section>
    </>
  );
}

function Announced({ place, onPlace }: AnnouncementsProps) {
  const list = useQuery({
    ...q('listAnnouncements', { query: { limit: 20, ...(place.cursor ? { cursor: place.cursor } : {}) } }),
    placeholderData: keepPreviousData,
  });
  const { data } = list;
  if (list.isError) {
    return (
      <Panel>
        <Failed
          title="The announcements couldn't be loaded"
          error={list.error}
          retry={list.refetch}
          retrying={list.isFetching}
        />
      </Panel>
    );
  }
  if (!data) {
    return (
      <Panel className="divide-y divide-line">
        {[0, 1, 2].map((row) => (
          <div key={row} className="flex flex-col gap-2 px-5 py-4">
            <span className="skeleton h-5 w-64 max-w-full" />
            <span className="skeleton h-4 w-40" />
          </div>
        ))}
      </Panel>
    );
  }
  if (data.rows.length === 0) {
    return (
      <Panel>
        {place.page > 1 ? (
          <Empty
            title="Nothing on this page"
            action={<Button onClick={() => onPlace({ page: 1, cursor: undefined })}>Go to the first page</Button>}
          >
            There are fewer announcements now.
          </Empty>
        ) : (
          <Empty title="No announcements yet">
            Announcements you send are listed here, with the number of recipients.
          </Empty>
        )}
      </Panel>
    );
  }
  return (
    <Panel className="overflow-hidden">
      <ul className="divide-y divide-line">
        {data.rows.map((row) => (
          <AnnouncementRow key={row.id} row={row} />
        ))}
      </ul>
      <Pager
        place={place}
        next={data.next_cursor}
        summary={`${plural(data.rows.length, 'announcement')} on this page`}
        onPlace={onPlace}
      />
    </Panel>
  );
}

function AnnouncementRow({ row }: { row: Announcement }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <li className="px-5 py-4">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h3 className="font-medium wrap-anywhere">{row.subject}</h3>
          <p className="figures text-sm text-muted">
            {audiences[row.audience]} · {plural(row.recipients, 'person', 'people')} · <TimeAgo iso={row.created_at} />
          </p>
        </div>
        <Button size="sm" variant="ghost" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          {open ? 'Hide' : 'Read'}
          <span className="sr-only"> {row.subject}</span>
          <ChevronDown className={cn('-mr-1 size-4 transition-transform', open && 'rotate-180')} aria-hidden />
        </Button>
      </div>
      <p id={id} hidden={!open} className="mt-3 max-w-2xl wrap-anywhere whitespace-pre-line text-muted">
        {row.body}
      </p>
    </li>
  );
}
