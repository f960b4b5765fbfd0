/** Running code: whether at all, where, and how much of the machine it may use. */

import { bytes, choice, count, integer, seconds, toggle } from '../kinds.ts'
import { section, setting } from '../setting.ts'
import { line, path } from '../text-kinds.ts'

export const exec = section('Code execution', {
  EXEC_ENABLED: setting(toggle(), {
    default: false,
    says: 'Whether the exec family is offered; callers need the execute grant on top, which no default gives.',
    risk: 'Callers with the execute grant run code of their choice on this machine.',
  }),
  EXEC_RUNNER: setting(choice(['subprocess', 'sandbox', 'container', 'wasm']), {
    default: 'subprocess',
    says: 'Where code runs: subprocess limits resources but not what can be read or reached; sandbox (bubblewrap, recommended) and container also cut the network and the file system; wasm runs JavaScript alone, without a process; none stands in for another.',
  }),
  EXEC_CONTAINER_IMAGE: setting(line(512), {
    says: 'Image the container runner starts; unset, that runner cannot be chosen.',
  }),
  EXEC_WORKDIR: setting(path(), {
    default: 'exec-scratch',
    says: 'Folder in which every run gets a fresh scratch folder of its own; a relative path starts at the working directory.',
  }),
  EXEC_CPU_SECONDS: setting(integer({ min: 1, max: 3600 }, 'seconds'), {
    default: 10,
    says: 'Processor time one run may use.',
  }),
  EXEC_WALL_SECONDS: setting(seconds(3600), { default: 30, says: 'Longest time one snippet may run.' }),
  EXEC_TEST_WALL_SECONDS: setting(seconds(86_400), { default: 120, says: 'Longest time one test run may take.' }),
  EXEC_MEMORY_BYTES: setting(bytes(1_000_000_000_000, 1_000_000), {
    default: 512_000_000,
    says: 'Memory one run may use.',
  }),
  EXEC_MAX_OUTPUT_BYTES: setting(bytes(1_000_000_000), {
    default: 200_000,
    says: 'Most output of one run, both streams together; more ends the run at once, and the cut is marked.',
  }),
  EXEC_MAX_CODE_BYTES: setting(bytes(100_000_000), { default: 100_000, says: 'Largest snippet that is run.' }),
  EXEC_MAX_COPY_BYTES: setting(bytes(1_000_000_000_000), {
    default: 50_000_000,
    says: 'Most bytes copied into the scratch folder for one test run.',
  }),
  EXEC_COPY_MAX_FILES: setting(count(10_000_000), {
    default: 500,
    says: 'Most files copied into the scratch folder for one test run.',
  }),
  EXEC_TEST_COMMAND: setting(line(4096), {
    says: 'Command that runs the tests, split into arguments without a shell; unset, run_tests refuses.',
  }),
})
