const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text can be an id, in any case that PostgreSQL reads one in. */
export const isId = (text: string): boolean => ID.test(text);
