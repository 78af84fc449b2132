import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { formatCount, plural } from '#lib/format/format.ts';
import { trimmed } from '#lib/format/typed.ts';
import { useAttempt } from '#lib/hooks.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { getToken } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { Field, Input, Textarea } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { UnsavedGuard } from '#ui/forms/unsaved.tsx';
import { Panel } from '#ui/page.tsx';
import { FormError } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';
import { useSavedForm } from '#widgets/forms/use-saved-form.ts';
import { audiences } from './audiences.ts';

interface Form {
  subject: string;
  body: string;
  audience: keyof typeof audiences;
}

const blank: Form = { subject: '', body: '', audience: 'everybody' };
const who = { everybody: 'every developer and reseller', developers: 'every developer', resellers: 'every reseller' };

const mistakesOf = ({ subject, body }: Form) => ({
  subject: lengthMistake(subject, 'Enter a subject.', 200),
  body: lengthMistake(body, 'Enter a message.', 20_000),
});

function lengthMistake(text: string, missing: string, most: number): string | false {
  if (!text.trim()) return missing;
  return text.trim().length > most && `At most ${formatCount(most)} characters.`;
}

export function AnnouncementForm() {
  const queryClient = useQueryClient();
  const attempt = useAttempt();
  const [asking, setAsking] = useState<Form | null>(null);
  const form = useSavedForm<Form, { recipients: number }>({
    values: blank,
    check: mistakesOf,
    ask: ({ audience, ...words }) => setAsking({ audience, ...trimmed(words) }),
    save: (body) =>
      attempt(body, (idempotencyKey) => api.sendAnnouncement({ body }, { idempotencyKey })).finally(() =>
        setAsking(null),
      ),
    onSaved: ({ recipients }) => {
      form.reset(blank);
      notify.success(`Announcement sent to ${plural(recipients, 'person', 'people')}.`);
      return refreshAfter(queryClient, 'announcementSent');
    },
  });
  const { isDirty } = form.formState;

  return (
    <Panel className="p-5">
      <form {...form.frame} className="flex max-w-2xl flex-col gap-5">
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-[minmax(0,1fr)_180px]">
          <Field label="Subject" error={form.error('subject')}>
            {(control) => <Input {...control} {...form.register('subject')} autoComplete="off" />}
          </Field>
          <Field label="To" error={form.error('audience')}>
            {(control) => (
              <Select {...control} {...form.register('audience')}>
                {Object.entries(audiences).map(([value, words]) => (
                  <option key={value} value={value}>
                    {words}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <Field label="Message" hint="Plain text. An empty line starts a new paragraph." error={form.error('body')}>
          {(control) => <Textarea {...control} {...form.register('body')} className="min-h-40" />}
        </Field>
        <FormError title="The announcement was not sent." error={form.failure} />
        <div>
          <Button type="submit" variant={isDirty ? 'primary' : 'secondary'} busy={form.busy} disabled={!isDirty}>
            Send Announcement
          </Button>
        </div>
      </form>
      <Confirm
        open={asking !== null}
        onOpenChange={(open) => (open ? undefined : setAsking(null))}
        title={asking ? `Send “${asking.subject}” now?` : ''}
        action="Send"
        plain
        busy={form.busy}
        onConfirm={() => (asking ? form.send(asking) : undefined)}
      >
        <p>
          It goes to {who[asking?.audience ?? 'everybody']} subscribed to announcements. A sent email can't be recalled.
        </p>
      </Confirm>
      <UnsavedGuard dirty={() => getToken() !== null && isDirty} />
    </Panel>
  );
}
