import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { notify } from '#ui/toast.ts';
import type { Branding } from './branding-query.ts';
import { brandingFormOf, toBrandingChange } from './branding-values.ts';
import { defaultColor } from './color.ts';

interface ResetBrandingProps {
  branding: Branding;
  disabled: boolean;
  onReset: (branding: Branding) => void;
}

export function ResetBranding({ branding, disabled, onReset }: ResetBrandingProps) {
  const [asking, setAsking] = useState(false);
  const restore = useMutation({
    mutationFn: (before: Branding) => api.updateBrandingSettings({ body: toBrandingChange(brandingFormOf(before)) }),
    onSuccess: ({ branding: next, message }) => {
      onReset(next);
      notify.success(message);
    },
    onError: (error) => notify.error('❌ Save failed', error),
  });
  const reset = useMutation({
    mutationFn: () => api.resetBranding(),
    onSuccess: ({ branding: next, message }) => {
      onReset(next);
      notify.success(message, { undo: () => restore.mutate(branding) });
    },
    onError: (error) => notify.error('❌ Save failed', error),
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <Button
        variant="ghost"
        className="sm:ml-auto"
        disabled={disabled}
        busy={reset.isPending}
        onClick={() => setAsking(true)}
      >
        Reset to Default
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Reset the branding to its default?"
        action="Reset"
        busy={reset.isPending}
        onConfirm={() => reset.mutate()}
      >
        <p>
          The logo, the support email and the support URL are removed, the color is {defaultColor} and the page is
          light. Your customers see it right away.
        </p>
      </Confirm>
    </>
  );
}
