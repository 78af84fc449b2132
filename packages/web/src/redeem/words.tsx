import { createContext, useContext } from 'react';
import type { Words } from '#lib/redeem-texts/words.ts';

const Context = createContext<Words | null>(null);
export const WordsProvider = Context.Provider;

export function useWords(): Words {
  const words = useContext(Context);
  if (!words) throw new Error('There is no WordsProvider around this.');
  return words;
}
