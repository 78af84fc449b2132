const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is an id, and no name. */
export const isId = (text: string): boolean => ID.test(text);
