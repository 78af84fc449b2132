import { type ComponentProps, useRef } from 'react';
import { type KeyedAct, keyedActs, useSingleKey } from '#lib/keyboard/single-keys.ts';
import { Button } from '../button.tsx';
import { KeyHint } from './key.tsx';

interface KeyedButtonProps extends ComponentProps<typeof Button> {
  does: KeyedAct;
}

/** A button of a record's page that a single key presses too. */
export function KeyedButton({ does, children, ...rest }: KeyedButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const { key } = keyedActs[does];
  useSingleKey(key, button, () => button.current?.click());
  return (
    <Button ref={button} aria-keyshortcuts={key} {...rest}>
      {children}
      <KeyHint>{key}</KeyHint>
    </Button>
  );
}
