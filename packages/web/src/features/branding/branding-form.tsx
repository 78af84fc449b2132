import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '#lib/api.ts';
import { sendLogo } from '#lib/files/upload-image.ts';
import { getToken, useAccount } from '#lib/session/session.ts';
import { Button, TextLink } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { SaveBar } from '#ui/forms/save-bar.tsx';
import { UnsavedGuard } from '#ui/forms/unsaved.tsx';
import { UploadImage } from '#ui/forms/upload-image.tsx';
import { FormError, Notice } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';
import { useSavedForm } from '#widgets/forms/use-saved-form.ts';
import { BrandingFields } from './branding-fields.tsx';
import { type Branding, keepBranding } from './branding-query.ts';
import { brandingFormOf, brandingMistakes, type BrandingForm as Form, toBrandingChange } from './branding-values.ts';
import { toColor } from './color.ts';
import { Preview, type PreviewView } from './preview/preview.tsx';
import { ResetBranding } from './reset-branding.tsx';

/** The name is the account's, so it is changed there; without one the page does not show whose it is. */
function CompanyName({ company }: { company: string }) {
  return (
    <div>
      <p className="text-sm font-medium">Company name</p>
      {company ? (
        <p className="mt-1.5 flex flex-wrap gap-x-3 wrap-anywhere">
          <bdi>{company}</bdi>
          <TextLink to="/dashboard/settings">Change it in your account</TextLink>
        </p>
      ) : (
        <div className="mt-1.5">
          <Notice tone="warn">
            You have none, so the page and its emails don’t show whose they are.{' '}
            <TextLink to="/dashboard/settings">Enter it in your account</TextLink>
          </Notice>
        </div>
      )}
    </div>
  );
}

export function BrandingForm({ branding, view }: { branding: Branding; view: PreviewView }) {
  const queryClient = useQueryClient();
  const company = useAccount()?.company_name ?? '';
  const [uploading, setUploading] = useState(false);
  const [asking, setAsking] = useState<Form | null>(null);
  const form = useSavedForm<Form, { branding: Branding }>({
    values: brandingFormOf(branding),
    check: brandingMistakes,
    ask: setAsking,
    save: (values) => api.updateBrandingSettings({ body: toBrandingChange(values) }).finally(() => setAsking(null)),
    onSaved: ({ branding: next }) => {
      keep(next);
      notify.success('Branding saved successfully!');
    },
    refused: () => {
      notify.error('❌ Save failed');
      return undefined;
    },
  });
  const { isDirty } = form.formState;
  const saving = form.busy;
  const shown = form.watch();
  const { reset } = form;
  const untouched = useRef(true);
  untouched.current = !isDirty;
  useEffect(() => {
    // Adopts changes made elsewhere until something is typed here.
    if (untouched.current) reset(brandingFormOf(branding));
  }, [branding, reset]);

  const keep = (next: Branding) => {
    reset(brandingFormOf(next));
    keepBranding(queryClient, next);
  };

  return (
    <div className="grid grid-cols-1 gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_320px]">
      <form {...form.frame} className="flex min-w-0 flex-col gap-6">
        <UploadImage
          label="Logo"
          value={shown.logo_url || null}
          onChange={(url) => form.setValue('logo_url', url ?? '', { shouldDirty: true })}
          send={sendLogo}
          failed="Failed to upload logo."
          unsent="Upload failed."
          error={form.error('logo_url')}
          onBusy={setUploading}
          className="h-16 w-36"
          fit="contain"
        />
        <CompanyName company={company} />
        <BrandingFields form={form} />
        <FormError title="Failed to save." error={form.failure} />
        <SaveBar dirty={isDirty}>
          <Button
            type="submit"
            variant={isDirty ? 'primary' : 'secondary'}
            busy={saving}
            disabled={!isDirty || uploading}
          >
            Save Branding
          </Button>
          {isDirty && !saving ? (
            <Button variant="ghost" onClick={() => reset(brandingFormOf(branding))}>
              Discard changes
            </Button>
          ) : null}
          {isDirty ? null : <ResetBranding branding={branding} disabled={saving || uploading} onReset={keep} />}
        </SaveBar>
      </form>
      <div className="min-w-0 lg:sticky lg:top-[88px] lg:self-start">
        <Preview
          path="/dashboard/settings/branding"
          view={view}
          color={toColor(shown.brand_color)}
          dark={shown.dark_mode}
          brand={{
            company,
            logo: shown.logo_url || null,
            supportEmail: shown.support_email.trim() || null,
            supportUrl: shown.support_url.trim() || null,
          }}
        />
      </div>
      <Confirm
        open={asking !== null}
        onOpenChange={(open) => (open ? undefined : setAsking(null))}
        title="Are you sure you want to save these branding settings?"
        action="Save"
        plain
        busy={saving}
        onConfirm={() => (asking ? form.send(asking) : undefined)}
      >
        <p>Your customers see the change right away.</p>
      </Confirm>
      <UnsavedGuard dirty={() => getToken() !== null && (isDirty || uploading)} />
    </div>
  );
}
