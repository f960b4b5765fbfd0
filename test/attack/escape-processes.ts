import { javascript, python } from './escape-attempt.ts'
import type { Attempt } from './escape-attempt.ts'

/** Ways to reach other processes, to outlive the run, or to take more of the machine than it was given. */
export const PROCESS_ATTEMPTS: readonly Attempt[] = [
  ...python([
    ['process.environment', 'finds the environment of the server in its own', 'stopped', `
if '{{canary}}' in str(os.environ) + open('/proc/self/environ').read(): escaped()`],
    ['process.parent-environment', 'finds it in that of its parent', 'stopped', `
if '{{canary}}' in open(f'/proc/{os.getppid()}/environ').read(): escaped()`],
    ['process.other-environment', 'reads the environment of another process', 'depends', `if '{{canary}}' in open('/proc/{{pid}}/environ').read(): escaped()`],
    ['process.server-environment', 'reads the environment of the server', 'depends', `if '{{canary}}' in open('/proc/{{server}}/environ').read(): escaped()`],
    ['process.see', 'sees what else runs, and with which arguments', 'depends', `
if '{{marker}}' in open('/proc/{{pid}}/cmdline').read(): escaped()`],
    ['process.signal', 'ends another process', 'depends', `os.kill({{pid}}, signal.SIGKILL)`],
    ['process.parent', 'ends whoever started it, and goes on', 'stopped', `
os.kill(os.getppid(), signal.SIGKILL)
time.sleep(2)
if os.path.exists('/proc/{{server}}') and os.getppid() == {{server}}: escaped()`],
    ['process.trace', 'takes over another process as a debugger', 'depends', `if libc.ptrace(16, {{pid}}, 0, 0) == 0: escaped()`],
    ['process.trace-child', 'takes over a process of its own as a debugger', 'depends', `
child = os.fork()
if child == 0: time.sleep(3); os._exit(0)
if libc.ptrace(16, child, 0, 0) == 0: escaped()
os.kill(child, 9)`],
    ['process.memory', 'reads the memory of another process', 'depends', `
place = int(open('/proc/{{pid}}/maps').readline().split('-')[0], 16)
data = ctypes.create_string_buffer(8)
local, remote = (ctypes.c_uint64 * 2)(ctypes.addressof(data), 8), (ctypes.c_uint64 * 2)(place, 8)
if call(310, 270, {{pid}}, local, 1, remote, 1, 0) > 0: escaped()`],
    ['process.memory-file', 'reads the memory of another process as a file', 'depends', `
place = int(open('/proc/{{pid}}/maps').readline().split('-')[0], 16)
if os.pread(os.open('/proc/{{pid}}/mem', os.O_RDONLY), 8, place): escaped()`],
    ['process.descriptor', 'takes a descriptor of another process', 'depends', `
handle = os.pidfd_open({{pid}})
if call(438, 438, handle, 0, 0) >= 0: escaped()`],
    ['process.inherited', 'finds a descriptor that the server left open', 'stopped', `
for name in os.listdir('/proc/self/fd'):
    try: link = os.readlink('/proc/self/fd/' + name)
    except OSError: continue
    if int(name) > 2 and link != '/dev/null' and '/proc/' not in link: print(name, link); escaped()`],
    ['process.child', 'leaves a child behind', 'stopped', `subprocess.Popen(['sleep', '{{survivor}}'])`],
    ['process.daemon', 'leaves a daemon behind', 'depends', `
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for fd in (0, 1, 2): os.close(fd)
        os.execvp('sleep', ['sleep', '{{survivor}}'])
    os._exit(0)
time.sleep(0.3)`],
    ['process.forks', 'starts processes without end', 'stopped', `
count = 0
try:
    while count < 400:
        if os.fork() == 0: time.sleep(30); os._exit(0)
        count += 1
    escaped()
except OSError: pass`],
    ['process.threads', 'starts threads without end', 'stopped', `
import threading
threading.stack_size(65536)
for _ in range(400): threading.Thread(target=time.sleep, args=(30,), daemon=True).start()
escaped()
os._exit(0)`],
    ['process.allocate', 'takes memory without end', 'stopped', `bytearray(2 * 10**9); escaped()`],
    ['process.allocate-shared', 'takes shared memory without end', 'stopped', `
import mmap
area = mmap.mmap(-1, 2 * 10**9)
for at in range(0, 2 * 10**9, 4096): area[at] = 1
escaped()`],
    ['process.allocate-many', 'takes memory by way of many processes, and keeps it', 'stopped', `
ready, tell = os.pipe()
for _ in range(12):
    if os.fork() == 0:
        block = bytearray(10**8)
        for at in range(0, 10**8, 4096): block[at] = 1
        os.write(tell, b'x')
        time.sleep(60); os._exit(0)
full = 0
while full < 12: full += len(os.read(ready, 12))
time.sleep(5)
escaped()`],
    ['process.raise-limit', 'lifts its own limits', 'stopped', `
import resource
resource.setrlimit(resource.RLIMIT_NPROC, (10**6, 10**6)); escaped()`],
    ['process.priority', 'takes a higher priority', 'stopped', `os.nice(-5); escaped()`],
    ['process.realtime', 'takes the processor from everybody else', 'stopped', `os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)); escaped()`],
    ['process.spared', 'has others ended first when memory runs out', 'stopped', `os.write(os.open('/proc/self/oom_score_adj', os.O_WRONLY), b'-500'); escaped()`],
    ['process.output', 'writes output without end', 'stopped', `
while os.write(1, b'x' * 65536): pass
escaped()`],
  ]),
  ...javascript([
    ['process.signal-js', 'ends another process, from JavaScript', 'depends', `process.kill({{pid}}, 'SIGKILL')`],
    ['process.shell-js', 'starts a program of the system that sees other processes, from JavaScript', 'depends', `
if (require('node:child_process').execFileSync('/bin/cat', ['/proc/{{pid}}/cmdline']).includes('{{marker}}')) escaped()`],
  ]),
  { id: 'process.signal-all', says: 'ends every process of its user', subprocess: 'depends', language: 'python', deadly: true, code: `os.kill(-1, signal.SIGKILL)` },
]
