/** RFC 3339, to the second. */
export const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`
