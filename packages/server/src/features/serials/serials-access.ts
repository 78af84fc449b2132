/** Who may call the routes of serials. */
export const read = { as: 'user', role: 'developer', scope: 'serials:read' } as const;
export const write = { as: 'user', role: 'developer', scope: 'serials:write' } as const;
/** Of a code that the call makes, or of a serial that it changes. */
export const naming = { ...write, shows: ['codes'] } as const;
