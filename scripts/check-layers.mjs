// Checks the layer rules, and that they were checked: a cruise that sees no modules finds no violations either.
import { spawnSync } from 'node:child_process'

const MIN_MODULES = 100
const run = spawnSync('npx', ['--no-install', 'depcruise', '--config', '.dependency-cruiser.cjs', '--no-cache', 'src'], { encoding: 'utf8' })
process.stdout.write(run.stdout)
process.stderr.write(run.stderr)
const modules = Number(/(\d+) modules/.exec(run.stdout)?.[1] ?? 0)
if (modules < MIN_MODULES) console.error(`layers: only ${modules} modules were seen, so nothing was proven`)
process.exit(run.status === 0 && modules >= MIN_MODULES ? 0 : 1)
