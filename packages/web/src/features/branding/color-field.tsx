import { Field, Input } from '#ui/forms/field.tsx';
import { contrastNote, defaultColor, isColor, toColor } from './color.ts';

interface ColorFieldProps {
  value: string;
  dark: boolean;
  error?: string | undefined;
  onChange: (text: string) => void;
}

/** A color from the browser's picker or as hex, with a note on its contrast. */
export function ColorField({ value, dark, error, onChange }: ColorFieldProps) {
  const color = toColor(value);
  const note = isColor(color) ? contrastNote(color, dark) : null;
  return (
    <Field
      label="Brand color"
      error={error}
      hint={note ? <span className={note.faint ? 'text-warn' : undefined}>{note.words}</span> : 'Such as #9a04bf.'}
    >
      {(control) => (
        <div className="flex gap-2">
          <input
            type="color"
            aria-label="Brand color, from a picker"
            value={isColor(color) ? color : defaultColor}
            onChange={(event) => onChange(event.target.value)}
            className="h-9 w-14 shrink-0 cursor-pointer rounded-md border border-control-line bg-surface p-1 hover:border-muted [&::-webkit-color-swatch]:rounded-[4px] [&::-webkit-color-swatch]:border [&::-webkit-color-swatch]:border-line [&::-webkit-color-swatch-wrapper]:p-0"
          />
          <Input
            {...control}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            // A value without `#` is the same color.
            onBlur={() => onChange(color)}
            maxLength={20}
            autoComplete="off"
            spellCheck={false}
            className="figures max-w-36 font-mono"
          />
        </div>
      )}
    </Field>
  );
}
