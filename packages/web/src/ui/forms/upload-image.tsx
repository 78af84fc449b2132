import { ImagePlus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { describeError } from '#lib/errors.ts';
import { Button } from '../button.tsx';
import { cn } from '../cn.ts';
import { notify } from '../toast.ts';
import { Field } from './field.tsx';
import { UploadBar } from './upload-bar.tsx';

export interface SendOptions {
  onProgress: (fraction: number) => void;
  signal: AbortSignal;
}

interface UploadImageProps {
  label: string;
  value: string | null;
  onChange: (url: string | null) => void;
  /** Uploads the picture and returns its URL. */
  send: (file: File, options: SendOptions) => Promise<string>;
  /** The toast shown when the server refuses the picture. */
  failed: string;
  /** The one when the picture doesn't reach the server; `failed` without it. */
  unsent?: string;
  error?: string | undefined;
  onBusy?: (busy: boolean) => void;
  /** The shape of the preview. */
  className: string;
  fit?: 'cover' | 'contain';
}

const largest = 10 * 1024 * 1024;
const types = 'image/png,image/jpeg,image/webp,image/gif';

interface Sending {
  preview: string;
  fraction: number;
}

/** A picture that is uploaded as soon as it is chosen or dropped, with its preview. */
export function UploadImage(props: UploadImageProps) {
  const { label, value, onChange, send, failed, unsent = failed, error, onBusy, className, fit = 'cover' } = props;
  const input = useRef<HTMLInputElement>(null);
  const running = useRef<AbortController>(undefined);
  const [sending, setSending] = useState<Sending | null>(null);
  const [refused, setRefused] = useState<string>();
  const [broken, setBroken] = useState<string | null>(null);
  const [over, setOver] = useState(false);
  useEffect(() => () => running.current?.abort(), []);

  const choose = async (file: File | undefined) => {
    if (!file || sending) return;
    if (!types.split(',').includes(file.type)) return setRefused('Choose a PNG, JPEG, WebP or GIF image.');
    if (file.size > largest) return setRefused('The image can have at most 10 MB.');
    setRefused(undefined);
    const preview = URL.createObjectURL(file);
    const controller = new AbortController();
    running.current = controller;
    setSending({ preview, fraction: 0 });
    onBusy?.(true);
    try {
      const onProgress = (fraction: number) => setSending({ preview, fraction });
      onChange(await send(file, { onProgress, signal: controller.signal }));
    } catch (problem) {
      if (!controller.signal.aborted) {
        const { message, status } = describeError(problem);
        setRefused(message);
        notify.error(status ? failed : unsent);
      }
    } finally {
      setSending(null);
      onBusy?.(false);
      URL.revokeObjectURL(preview);
      if (input.current) input.current.value = '';
    }
  };

  const shown = sending?.preview ?? (value === broken ? null : value);
  return (
    <Field label={label} optional hint="PNG, JPEG, WebP or GIF, at most 10 MB." error={refused ?? error}>
      {(control) => (
        <div className="flex flex-wrap items-center gap-4">
          {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button is the first. */}
          <div
            onDragOver={(event) => {
              event.preventDefault();
              setOver(true);
            }}
            onDragLeave={() => setOver(false)}
            onDrop={(event) => {
              event.preventDefault();
              setOver(false);
              choose(event.dataTransfer.files[0]);
            }}
            className={cn(
              'relative grid shrink-0 place-items-center overflow-hidden rounded-md border bg-sunken text-faint',
              over ? 'border-accent' : 'border-line',
              className,
            )}
          >
            {shown ? (
              <img
                src={shown}
                alt={`${label}, preview`}
                onError={() => setBroken(value)}
                className={cn('absolute inset-0 size-full', fit === 'cover' ? 'object-cover' : 'object-contain p-1')}
              />
            ) : (
              <ImagePlus className="size-5" aria-hidden />
            )}
          </div>
          <input
            {...control}
            ref={input}
            type="file"
            accept={types}
            onChange={(event) => choose(event.target.files?.[0])}
            className="sr-only"
            tabIndex={-1}
          />
          {sending ? (
            <div className="flex min-w-40 flex-1 flex-col gap-2">
              <div className="flex items-center justify-between gap-3">
                <span className="figures text-sm text-muted">
                  {sending.fraction < 1 ? `${Math.floor(sending.fraction * 100)}% uploaded` : 'Preparing the image'}
                </span>
                <Button size="sm" variant="ghost" onClick={() => running.current?.abort()}>
                  Cancel
                </Button>
              </div>
              <UploadBar value={sending.fraction} label={`Upload of ${label}`} />
            </div>
          ) : (
            <div className="flex flex-wrap gap-2">
              <Button size="sm" onClick={() => input.current?.click()}>
                {value ? 'Change image' : 'Choose image'}
              </Button>
              {value ? (
                <Button size="sm" variant="ghost" onClick={() => onChange(null)}>
                  Remove image
                </Button>
              ) : null}
            </div>
          )}
        </div>
      )}
    </Field>
  );
}
