import { javascript, python } from './escape-attempt.ts'
import type { Attempt } from './escape-attempt.ts'

/** Ways to read, write or fill what is not the code's own. */
export const FILE_ATTEMPTS: readonly Attempt[] = [
  ...python([
    ['file.secret', 'reads a file outside that others may read', 'open', `if 'SECRET' in open('{{folder}}/secret').read(): escaped()`],
    ['file.symlink', 'reads it through a link of its own', 'open', `os.symlink('{{folder}}/secret', 'link')\nif 'SECRET' in open('link').read(): escaped()`],
    ['file.accounts', 'reads the list of accounts', 'open', `if 'root' in open('/etc/passwd').read(): escaped()`],
    ['file.settings', 'reads the settings of the system', 'open', `if len(os.listdir('/etc')) > 5: escaped()`],
    ['file.devices', 'sees the devices of the machine', 'open', `if len(os.listdir('/sys/class')) > 0: escaped()`],
    ['file.drop', 'writes into a folder that everybody may write', 'open', `open('{{folder}}/drop/here', 'w').write('x'); escaped()`],
    ['file.parent', 'writes beside its own folder', 'depends', `open('../escape-{{marker}}', 'w').write('x'); escaped()`],
    ['file.climb', 'writes above its own folder', 'depends', `open('../../escape-{{marker}}', 'w').write('x'); escaped()`],
    ['file.system', 'changes a program of the system', 'stopped', `open('/usr/bin/escape-{{marker}}', 'w'); escaped()`],
    ['file.root', 'writes at the root', 'stopped', `open('/escape-{{marker}}', 'w'); escaped()`],
    ['file.dev', 'writes into /dev', 'stopped', `open('/dev/escape-{{marker}}', 'w'); escaped()`],
    ['file.server-root', 'reads through the root of another process', 'depends', `if 'SECRET' in open('/proc/{{pid}}/root{{folder}}/secret').read(): escaped()`],
    ['file.first-root', 'reads through the root of the first process', 'stopped', `if 'SECRET' in open('/proc/1/root{{folder}}/secret').read(): escaped()`],
    ['file.server-cwd', 'reads the working folder of another process', 'depends', `if 'secret' in os.listdir('/proc/{{pid}}/cwd'): escaped()`],
    ['file.disk', 'opens a disk', 'stopped', `
for name in os.listdir('/dev'):
    if stat.S_ISBLK(os.stat('/dev/' + name).st_mode):
        try: os.open('/dev/' + name, os.O_RDONLY); escaped()
        except OSError: pass`],
    ['file.memory', 'opens the memory of the machine', 'stopped', `
for name in ('/dev/mem', '/dev/kmem', '/dev/port', '/proc/kcore'):
    try: open(name, 'rb').read(1); escaped()
    except OSError: pass`],
    ['file.kernel-log', 'reads the log of the kernel', 'depends', `os.read(os.open('/dev/kmsg', os.O_RDONLY | os.O_NONBLOCK), 1000); escaped()`],
    ['file.node', 'makes a device of its own', 'stopped', `os.mknod('disk', 0o600 | stat.S_IFBLK, os.makedev(254, 0)); escaped()`],
    ['file.sysctl', 'changes a setting of the kernel', 'stopped', `
for name in ('kernel/core_pattern', 'vm/drop_caches', 'kernel/hostname', 'net/ipv4/ip_forward'):
    try: os.write(os.open('/proc/sys/' + name, os.O_WRONLY), b'1'); escaped()
    except OSError: pass`],
    ['file.sysrq', 'sends a command to the kernel', 'stopped', `os.write(os.open('/proc/sysrq-trigger', os.O_WRONLY), b'h'); escaped()`],
    ['file.cgroup', 'makes a control group', 'stopped', `
for folder in ('/sys/fs/cgroup', '/sys/fs/cgroup/memory', '/sys/fs/cgroup/unified'):
    try: os.mkdir(folder + '/escape-{{marker}}'); escaped()
    except OSError: pass`],
    ['disk.many', 'fills the disk with many files', 'open', `
for number in range(120): open(f'fill-{number}', 'wb').write(bytes(10**6))
escaped()`],
    ['disk.one', 'fills the disk with one file', 'stopped', `
with open('fill', 'wb') as file:
    for _ in range(120): file.write(bytes(10**6))
escaped()`],
    ['disk.sparse', 'makes a file of any size', 'stopped', `os.truncate(os.open('sparse', os.O_CREAT | os.O_RDWR), 10**12); escaped()`],
    ['disk.shared-memory', 'fills the memory by way of /dev/shm', 'open', `
for number in range(40): open(f'/dev/shm/escape-{{marker}}-{number}', 'wb').write(bytes(10**6))
escaped()`],
    ['disk.temporary', 'fills the temporary folder', 'open', `
for number in range(120): open(f'/tmp/escape-{{marker}}-{number}', 'wb').write(bytes(10**6))
escaped()`],
  ]),
  ...javascript([
    ['file.secret-js', 'reads a file outside that others may read, from JavaScript', 'open', `if (require('node:fs').readFileSync('{{folder}}/secret', 'utf8').includes('SECRET')) escaped()`],
    ['file.environment-js', 'reads the environment of the server, from JavaScript', 'stopped', `if (JSON.stringify(process.env).includes('{{canary}}')) escaped()`],
  ]),
]
