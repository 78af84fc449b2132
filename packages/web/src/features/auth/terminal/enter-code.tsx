import { Button } from '#ui/button.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { useSavedForm } from '#widgets/forms/use-saved-form.ts';
import { terminalCode } from './terminal-code.ts';

interface EnterCodeProps {
  /** The text from the address, if it is not a code. */
  given: string | undefined;
  onCode: (code: string) => void;
}

export function EnterCode({ given = '', onCode }: EnterCodeProps) {
  const form = useSavedForm({
    values: { code: given.slice(0, 40) },
    check: ({ code }) => ({
      code: !code.trim()
        ? 'Enter the code.'
        : terminalCode(code) === null && 'The code has eight characters, none of them a vowel, such as BCDF-GHJK.',
    }),
    save: async ({ code }) => onCode(terminalCode(code) ?? ''),
  });
  return (
    <form {...form.frame} className="flex flex-col gap-5">
      <Field label="Code" hint="Eight characters, such as BCDF-GHJK." error={form.error('code')}>
        {(control) => (
          <Input
            {...control}
            {...form.register('code')}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={40}
            className="h-10 font-mono text-md tracking-[0.12em] uppercase"
          />
        )}
      </Field>
      <Button type="submit" variant="primary" busy={form.busy} className="h-10">
        Continue
      </Button>
    </form>
  );
}
