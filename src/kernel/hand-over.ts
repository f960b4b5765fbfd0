/** Ends a run with a task that goes on: what a client that polls gets instead of an answer. */

import type { TaskHandle } from './ports/tasks.ts'

/** Thrown by `context.handOver`, and caught by the chain alone. */
export class HandOver {
  readonly task: TaskHandle

  constructor(task: TaskHandle) {
    this.task = task
  }
}
