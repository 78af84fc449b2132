import { useState } from 'react';
import { paletteKeys, setSingleKeys, singleKeysOn, undoKeys } from '../../lib/single-keys.ts';
import { DialogPopup } from '../../ui/dialog-parts.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { entriesOf } from './entries.ts';
import { Key } from './key.tsx';

interface KeysDialogProps {
  reseller: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function KeysDialog({ reseller, open, onOpenChange }: KeysDialogProps) {
  const [single, setSingle] = useState(singleKeysOn);
  const lines: [string, string[]][] = [
    ['Search and commands', paletteKeys],
    ['These keys', ['?']],
    ...entriesOf(reseller).flatMap(({ label, g }): [string, string[]][] =>
      g ? [[`Go to ${label.split(':')[0]}`, ['g', g]]] : [],
    ),
    ['Next and previous row of a list', ['j', 'k']],
    ['Next and previous record, from its own page', ['j', 'k']],
    ['Open the row', ['Enter']],
    ['Select the row', ['x']],
    ['Make a new one', ['c']],
    ['Undo, while its notice is shown', undoKeys],
    ['Close what is open', ['Esc']],
  ];
  return (
    <DialogPopup open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <dl className="mt-4 divide-y divide-line">
        {lines.map(([what, keys]) => (
          <div key={what} className="flex h-10 items-center justify-between gap-4">
            <dt>{what}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <Checkbox
        className="mt-4 border-t border-line pt-4"
        label={`Keys without ${paletteKeys[0]}`}
        hint="Switch them off if they get in the way, for example of speech input."
        checked={single}
        onChange={(event) => {
          setSingle(event.target.checked);
          setSingleKeys(event.target.checked);
        }}
      />
    </DialogPopup>
  );
}
