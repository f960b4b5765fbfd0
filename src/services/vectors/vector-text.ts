/** A vector as pgvector reads it. Seven digits are all that its four-byte numbers hold. */
export const vectorText = (vector: readonly number[]): string => `[${vector.map((number) => (Number.isInteger(number) ? String(number) : number.toPrecision(8))).join(',')}]`
