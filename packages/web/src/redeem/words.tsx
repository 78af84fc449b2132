import { createContext, useContext } from 'react';
import { en } from '#lib/redeem-texts/en.ts';
import { LANGUAGES } from '#lib/redeem-texts/index.ts';
import { type Words, wordsOf } from '#lib/redeem-texts/words.ts';

const Context = createContext<Words>(wordsOf(LANGUAGES[0], en));
export const WordsProvider = Context.Provider;
export const useWords = () => useContext(Context);
