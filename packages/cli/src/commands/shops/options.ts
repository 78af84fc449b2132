export const WHICH = [['<shop>', 'its id, as "tonerow shops list" shows it']] as const;
export const ORDER = [['<order>', 'its id, as "tonerow shops orders" shows it']] as const;
