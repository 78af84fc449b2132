/** Who may call the routes of serials. */
export const read = { as: 'user', role: 'developer', scope: 'serials:read' } as const;
export const write = { as: 'user', role: 'developer', scope: 'serials:write' } as const;
/** The access of calls that name a code that they make, or a serial that they change. */
export const naming = { ...write, shows: ['codes'] } as const;
