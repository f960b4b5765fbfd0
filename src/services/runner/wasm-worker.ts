/**
 * The program of the thread in which the `wasm` runner evaluates JavaScript, as text: it is the same in sources, in
 * a bundle and in tests. It sees QuickJS inside WebAssembly, whose memory has a maximum that nothing inside can
 * raise; there is no process, file, network or clock of ours to reach from there.
 */

export interface WorkerTask {
  /** Path of the QuickJS package. */
  readonly library: string
  readonly code: string
  readonly stdin: string
  readonly maxOutputBytes: number
  readonly maxMemoryBytes: number
  readonly cpuMs: number
}

export type WorkerMessage =
  | { readonly is: 'output'; readonly from: 'stdout' | 'stderr'; readonly text: string }
  | { readonly is: 'end'; readonly exitCode: number | null; readonly why: 'exit' | 'wall' | 'output' }

export const WORKER = `
const { parentPort, workerData: task } = require('node:worker_threads')
const { newQuickJSWASMModuleFromVariant, newVariant, RELEASE_SYNC } = require(task.library)
const PAGE = 65536
let [bytes, why] = [0, 'exit']
const deadline = performance.now() + task.cpuMs
const write = (from, text) => {
  bytes += Buffer.byteLength(text)
  if (why === 'output') return
  if (bytes > task.maxOutputBytes) why = 'output'
  parentPort.postMessage({ is: 'output', from, text })
}
const late = () => {
  if (why === 'exit' && performance.now() > deadline) why = 'wall'
  return why !== 'exit'
}
const spelled = (vm, handle) => {
  const type = vm.typeof(handle)
  if (type !== 'object') return vm.getString(handle)
  const stringify = vm.unwrapResult(vm.evalCode('(value) => value instanceof Error ? String(value) + "\\\\n" + value.stack : JSON.stringify(value) ?? String(value)'))
  return stringify.consume((call) => vm.unwrapResult(vm.callFunction(call, vm.undefined, handle)).consume((text) => vm.getString(text)))
}
const printer = (vm, from) => vm.newFunction('print', (...handles) => {
  write(from, handles.map((handle) => spelled(vm, handle)).join(' ') + '\\n')
})
const define = (vm, at, name, value) => value.consume((handle) => vm.setProp(at, name, handle))
const failed = (vm, error) => {
  let text = 'out of memory'
  try { text = spelled(vm, error) } catch {}
  if (why === 'exit') write('stderr', text + '\\n')
  return 1
}
const run = (vm) => {
  const print = (from) => printer(vm, from)
  vm.newObject().consume((console) => {
    for (const [name, from] of [['log', 'stdout'], ['info', 'stdout'], ['debug', 'stdout'], ['warn', 'stderr'], ['error', 'stderr']]) define(vm, console, name, print(from))
    vm.setProp(vm.global, 'console', console)
  })
  define(vm, vm.global, 'print', print('stdout'))
  define(vm, vm.global, 'stdin', vm.newString(task.stdin))
  const result = vm.evalCode(task.code, 'snippet.js')
  if (result.error) return failed(vm, result.error)
  const jobs = vm.runtime.executePendingJobs()
  return jobs.error ? failed(vm, jobs.error) : 0
}
const main = async () => {
  const wasmMemory = new WebAssembly.Memory({ initial: 256, maximum: Math.max(257, Math.floor(task.maxMemoryBytes / PAGE)) })
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmMemory }))
  const runtime = quickjs.newRuntime()
  runtime.setInterruptHandler(late)
  runtime.setMaxStackSize(512 * 1024)
  let exitCode = 1
  try { exitCode = run(runtime.newContext()) } catch (error) { if (why === 'exit') write('stderr', 'out of memory\\n') }
  parentPort.postMessage({ is: 'end', exitCode: why === 'exit' ? exitCode : null, why })
}
main()
`
