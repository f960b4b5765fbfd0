/** The one error that settings end in: it lists everything that is wrong, and no value that was given. */

export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  /** One line each: the name as the operator wrote it, then what is accepted. */
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(
      `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'} in the settings:\n${problems.join('\n')}`,
    )
    this.problems = problems
  }
}
