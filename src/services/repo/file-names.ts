/** Which names are files of the tree, by the operator's list of extensions. */

export interface FileNames {
  has(name: string): boolean
}

/**
 * A name counts when it ends in an allowed extension, in any case. So `.gitignore` and `.sample` can be put on the list
 * like `.ts`. An empty list allows nothing.
 */
export function fileNames(extensions: readonly string[]): FileNames {
  const allowed = new Set(extensions.map((extension) => extension.toLowerCase()))
  return {
    has(name) {
      const lower = name.toLowerCase()
      // `.d.ts` is an extension too, so every dot may begin one.
      for (let dot = lower.indexOf('.'); dot >= 0; dot = lower.indexOf('.', dot + 1)) if (allowed.has(lower.slice(dot))) return true
      return false
    },
  }
}
