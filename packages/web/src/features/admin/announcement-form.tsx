import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod/mini';
import { api } from '#lib/api.ts';
import { describeError, showFieldErrors } from '#lib/errors.ts';
import { plural } from '#lib/format/format.ts';
import { useAttemptKey } from '#lib/hooks.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import { endSessionOn401 } from '#lib/query.ts';
import { getToken } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { Field, Input, Textarea } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { UnsavedGuard } from '#ui/forms/unsaved.tsx';
import { Panel } from '#ui/page.tsx';
import { FormError } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';
import { audiences } from './audiences.ts';

const schema = z.object({
  subject: z.string().check(z.trim(), z.minLength(1, 'Enter a subject.'), z.maxLength(200, 'At most 200 characters.')),
  body: z
    .string()
    .check(z.trim(), z.minLength(1, 'Enter a message.'), z.maxLength(20_000, 'At most 20,000 characters.')),
  audience: z.enum(['everybody', 'developers', 'resellers']),
});
type Form = z.infer<typeof schema>;

const blank: Form = { subject: '', body: '', audience: 'everybody' };
const who = { everybody: 'every developer and reseller', developers: 'every developer', resellers: 'every reseller' };

export function AnnouncementForm() {
  const queryClient = useQueryClient();
  const attempt = useAttemptKey();
  const [asking, setAsking] = useState<Form | null>(null);
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const form = useForm<Form>({ defaultValues: blank, resolver: zodResolver(schema) });
  const { errors, isDirty } = form.formState;

  const send = async (body: Form) => {
    setSending(true);
    setFailure(null);
    try {
      const { recipients } = await api.sendAnnouncement({ body }, { idempotencyKey: attempt.keyFor(body) });
      attempt.answered();
      form.reset(blank);
      notify.success(`Announcement sent to ${plural(recipients, 'person', 'people')}.`);
      await refreshAfter(queryClient, 'announcementSent');
    } catch (error) {
      endSessionOn401(error);
      attempt.answered(describeError(error).status ?? 0);
      if (!showFieldErrors(error, form.setError, Object.keys(body))) setFailure(error);
    } finally {
      setSending(false);
      setAsking(null);
    }
  };

  return (
    <Panel className="p-5">
      <form onSubmit={form.handleSubmit(setAsking)} noValidate className="flex max-w-2xl flex-col gap-5">
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-[minmax(0,1fr)_180px]">
          <Field label="Subject" error={errors.subject?.message}>
            {(control) => <Input {...control} {...form.register('subject')} autoComplete="off" />}
          </Field>
          <Field label="To" error={errors.audience?.message}>
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
        <Field label="Message" hint="Plain text. An empty line starts a new paragraph." error={errors.body?.message}>
          {(control) => <Textarea {...control} {...form.register('body')} className="min-h-40" />}
        </Field>
        <FormError title="The announcement was not sent." error={failure} />
        <div>
          <Button type="submit" variant={isDirty ? 'primary' : 'secondary'} busy={sending} disabled={!isDirty}>
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
        busy={sending}
        onConfirm={() => (asking ? send(asking) : undefined)}
      >
        <p>
          It goes to {who[asking?.audience ?? 'everybody']} subscribed to announcements. A sent email can't be recalled.
        </p>
      </Confirm>
      <UnsavedGuard dirty={() => getToken() !== null && isDirty} />
    </Panel>
  );
}
