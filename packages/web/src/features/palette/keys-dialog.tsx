import { keyedActs, paletteKeys, setSingleKeys, undoKeys, useSingleKeys } from '#lib/keyboard/single-keys.ts';
import { Key } from '#ui/buttons/key.tsx';
import { DialogPopup } from '#ui/dialogs/dialog-parts.tsx';
import { Checkbox } from '#ui/forms/field.tsx';
import { entriesOf } from './entries.ts';

interface KeysDialogProps {
  reseller: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

type Line = [what: string, keys: string[]];

const recordLines: Line[] = [
  ['Next and previous record', ['j', 'k']],
  ...Object.values(keyedActs).map(({ key, words }): Line => [words, [key]]),
];

export function KeysDialog({ reseller, open, onOpenChange }: KeysDialogProps) {
  const single = useSingleKeys();
  const groups: [string, Line[]][] = [
    [
      'Anywhere',
      [
        ['Search and commands', paletteKeys],
        ['These keys', ['?']],
        ...entriesOf(reseller).flatMap(({ label, g }): Line[] =>
          g ? [[`Go to ${label.split(':')[0]}`, ['g', g]]] : [],
        ),
        ['Undo, while its notice is shown', undoKeys],
        ['Close what is open', ['Esc']],
      ],
    ],
    [
      'In a list',
      [
        ['Search it', ['/']],
        ['Next and previous row', ['j', 'k']],
        ['Open the row', ['Enter']],
        ['Select the row', ['x']],
        ['Make a new one', ['c']],
      ],
    ],
    ...(reseller ? [] : [['On the page of a record', recordLines] as [string, Line[]]]),
  ];
  return (
    <DialogPopup open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts" className="max-w-3xl!">
      <div className="mt-4 gap-x-10 sm:columns-2">
        {groups.map(([title, lines]) => (
          <section key={title} className="mb-5 break-inside-avoid">
            <h3 className="mb-1 text-sm font-semibold text-muted">{title}</h3>
            <dl className="divide-y divide-line">
              {lines.map(([what, keys]) => (
                <div key={what} className="flex min-h-9 items-center justify-between gap-4">
                  <dt>{what}</dt>
                  <dd className="flex gap-1">
                    {keys.map((key) => (
                      <Key key={key}>{key}</Key>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Checkbox
        className="border-t border-line pt-4"
        label={`Keys without ${paletteKeys[0]}`}
        hint="Switch them off if they get in the way, for example of speech input."
        checked={single}
        onChange={(event) => setSingleKeys(event.target.checked)}
      />
    </DialogPopup>
  );
}
