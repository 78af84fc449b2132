import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/buttons/copy-button.tsx';

/** The last step of a dialog that created a key. */
export function NewSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <div className="mt-5 flex flex-col gap-5">
      <code className="rounded-md border border-line bg-sunken px-4 py-3 font-mono text-base font-medium break-all">
        {secret}
      </code>
      <div className="flex justify-end gap-2">
        <CopyButton text={secret} what="the key" className="h-9" />
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
