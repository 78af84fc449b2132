/** Enough to catch a slip; the server decides. */
export const isEmail = (text: string) => /^\S+@\S+\.\S+$/.test(text.trim());
