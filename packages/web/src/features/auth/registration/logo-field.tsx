import { ImagePlus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/forms/field.tsx';

interface LogoFieldProps {
  file: File | null;
  onChange: (file: File | null) => void;
  error?: string | undefined;
}

const largest = 10 * 1024 * 1024;

export function LogoField({ file, onChange, error }: LogoFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [preview, setPreview] = useState<string | null>(null);
  const [refused, setRefused] = useState<string>();

  useEffect(() => {
    if (!file) return setPreview(null);
    const url = URL.createObjectURL(file);
    setPreview(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);

  const choose = (next: File | undefined) => {
    if (!next) return;
    if (!/^image\/(png|jpeg|webp|gif)$/.test(next.type)) return setRefused('Choose a PNG, JPEG, WebP or GIF image.');
    if (next.size > largest) return setRefused('The image can have at most 10 MB.');
    setRefused(undefined);
    onChange(next);
  };

  return (
    <Field
      label="Logo"
      optional
      hint="PNG, JPEG, WebP or GIF, at most 10 MB and 25 megapixels."
      error={refused ?? error}
    >
      {(control) => (
        <div className="flex items-center gap-4">
          <span className="grid size-16 shrink-0 place-items-center overflow-hidden rounded-md border border-line bg-sunken text-faint">
            {preview ? (
              <img src={preview} alt="Your logo" className="size-full object-contain" />
            ) : (
              <ImagePlus className="size-5" aria-hidden />
            )}
          </span>
          <input
            {...control}
            ref={input}
            type="file"
            accept="image/png,image/jpeg,image/webp,image/gif"
            onChange={(event) => choose(event.target.files?.[0])}
            className="sr-only"
            tabIndex={-1}
          />
          <Button size="sm" onClick={() => input.current?.click()}>
            {file ? 'Change image' : 'Choose image'}
          </Button>
          {file ? (
            <Button
              size="sm"
              variant="ghost"
              onClick={() => {
                onChange(null);
                if (input.current) input.current.value = '';
              }}
            >
              Remove
            </Button>
          ) : null}
        </div>
      )}
    </Field>
  );
}
