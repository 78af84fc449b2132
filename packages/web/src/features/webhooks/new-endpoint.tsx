import type { Webhook } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { TestButton } from './test-button.tsx';
import { VerifyCode } from './verify-code.tsx';

interface NewEndpointProps {
  webhook: Webhook;
  /** Shown now and never again; null where a public key verifies. */
  secret: string | null;
  onDone: () => void;
}

/** Shows what to copy from a new endpoint, the code that verifies with it, and a first test. */
export function NewEndpoint({ webhook, secret, onDone }: NewEndpointProps) {
  const shown = secret ?? webhook.public_key ?? '';
  return (
    <div className="mt-5 flex min-w-0 flex-col gap-5">
      <div>
        <p className="mb-1.5 text-sm text-muted">
          {secret
            ? 'Copy the secret now: it is never shown again. Rotate it if it gets lost.'
            : 'The public key that verifies the signatures. You find it here at any time.'}
        </p>
        <div className="flex items-center gap-2 rounded-md border border-line bg-sunken py-2 pr-2 pl-4">
          <code className="min-w-0 flex-1 font-mono text-sm font-medium break-all">{shown}</code>
          <CopyButton compact text={shown} what={secret ? 'the secret' : 'the key'} />
        </div>
      </div>
      <VerifyCode webhook={webhook} secret={secret} />
      <div className="flex flex-wrap justify-end gap-2">
        <TestButton webhook={webhook} />
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
