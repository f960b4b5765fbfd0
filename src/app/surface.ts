/** Digests of a tool surface, for clients that pin what a person consented to. */

export { compareSurfaces, definitionDigest, surfaceDigest } from '../services/surface/digest.ts'
export type { SurfaceChange } from '../services/surface/digest.ts'
