/** Time as a port, so that nothing above the exits reads a clock of its own. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. May jump. */
  now(): number
  /** Milliseconds on a clock that never goes back; only differences mean anything. */
  ticks(): number
}
