/** Enough to catch a slip; the server decides. Some keyboards write wide signs, which it reads. */
export const isEmail = (text: string) => /^\S+[@＠]\S+[.．。]\S+$/.test(text.trim());
