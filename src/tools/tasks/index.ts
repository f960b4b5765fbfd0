import type { Family } from '../../kernel/resource.ts'
import { scanCorpusAsync } from './scan-corpus-async.ts'
import { taskGet } from './task-get.ts'
import { taskList } from './task-list.ts'
import { taskSchedule } from './task-schedule.ts'
import { taskUpdate } from './task-update.ts'

/** Work and timers that go on after the call that started them. */
export const tasks: Family = {
  name: 'tasks',
  tools: [scanCorpusAsync, taskGet, taskUpdate, taskList, taskSchedule],
  resources: [],
  prompts: [],
}
