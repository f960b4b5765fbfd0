import { python } from './escape-attempt.ts'
import type { Attempt } from './escape-attempt.ts'

/** Ways to more rights, out of a namespace, or into a part of the kernel that programs seldom need. */
export const KERNEL_ATTEMPTS: readonly Attempt[] =
  python([
    ['rights.root', 'becomes root', 'stopped', `os.setuid(0); escaped()`],
    ['rights.capabilities', 'has capabilities', 'stopped', `
status = open('/proc/self/status').read()
if int(status.split('CapEff:')[1].split()[0], 16): escaped()`],
    ['rights.set-user-id', 'gains rights through a set-user-id program', 'stopped', `
for name in ('/usr/bin/su', '/usr/bin/newgrp', '/usr/bin/chsh', '/usr/bin/passwd'):
    if not os.path.exists(name): continue
    child = subprocess.Popen([name], stdin=subprocess.PIPE)
    time.sleep(0.2)
    try:
        if open(f'/proc/{child.pid}/status').read().split('Uid:')[1].split()[1] == '0': escaped()
    except (OSError, IndexError): pass
    child.kill()`],
    ['rights.own-program', 'gains rights through a program that it marked itself', 'stopped', `
open('own', 'wb').write(open('/bin/cat', 'rb').read())
os.chown('own', 0, 0)
os.chmod('own', 0o4755)
escaped()`],
    ['namespace.user', 'makes a user namespace, in which it is root', 'depends', `if libc.unshare(0x10000000) == 0: escaped()`],
    ['namespace.clone', 'makes one while it forks', 'depends', `
child = call(56, 220, ctypes.c_ulong(0x10000000 | 17), 0, 0, 0, 0)
if child == 0: os._exit(0)
if child > 0: escaped()`],
    ['namespace.clone3', 'makes one by way of the newer call', 'depends', `
block = struct.pack('11Q', 0x10000000, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0)
child = call(435, 435, block, len(block))
if child == 0: os._exit(0)
if child > 0: escaped()`],
    ['namespace.enter', 'enters a namespace of another process', 'stopped', `
for pid in ('1', '{{pid}}'):
    for kind in ('net', 'mnt', 'pid', 'user'):
        try:
            if libc.setns(os.open(f'/proc/{pid}/ns/{kind}', os.O_RDONLY), 0) == 0: escaped()
        except OSError: pass`],
    ['mount.new', 'mounts a file system', 'stopped', `if libc.mount(b'none', b'/tmp', b'tmpfs', 0, None) == 0: escaped()`],
    ['mount.writable', 'makes the system writable', 'stopped', `
for place in (b'/', b'/usr', b'/dev'):
    if libc.mount(None, place, None, 32, None) == 0: escaped()`],
    ['mount.remove', 'takes a mount away', 'stopped', `
for place in (b'/proc', b'/tmp', b'/usr'):
    if libc.umount2(place, 2) == 0: escaped()`],
    ['mount.tree', 'copies a tree of mounts', 'stopped', `if call(428, 428, -100, b'/', 1) >= 0: escaped()`],
    ['mount.chroot', 'changes its root', 'stopped', `os.chroot('.'); escaped()`],
    ['mount.pivot', 'changes the root of everybody', 'stopped', `if call(155, 41, b'.', b'.') == 0: escaped()`],
    ['mount.handle', 'opens a file by its number', 'stopped', `
handle = struct.pack('Ii128s', 128, 0, b'')
block, ident = ctypes.create_string_buffer(handle), ctypes.c_int()
call(303, 264, -100, b'/usr', block, ctypes.byref(ident), 0)
if call(304, 265, os.open('/', os.O_RDONLY), block, 0) >= 0: escaped()`],
    ['ipc.segment', 'reads shared memory of another process', 'open', `
libc.shmat.restype = ctypes.c_void_p
area = libc.shmat({{shm}}, None, 0o10000)
if area not in (None, 2**64 - 1) and ctypes.string_at(area, 6) == b'SECRET': escaped()`],
    ['ipc.shared-file', 'reads a file of shared memory of another process', 'open', `if 'SECRET' in open('/dev/shm/{{marker}}').read(): escaped()`],
    ['kernel.keyring', 'keeps something in the key ring of its user', 'depends', `if call(248, 217, b'user', b'{{marker}}', b'x', 1, -4) > 0: escaped()`],
    ['kernel.keyring-join', 'joins a session of keys', 'depends', `if call(250, 219, 1, b'{{marker}}') > 0: escaped()`],
    ['kernel.bpf', 'loads a program into the kernel', 'depends', `if call(321, 280, 0, struct.pack('IIII', 2, 4, 4, 1) + bytes(56), 72) >= 0: escaped()`],
    ['kernel.userfaultfd', 'handles page faults itself', 'depends', `if call(323, 282, 1) >= 0: escaped()`],
    ['kernel.performance', 'measures the machine', 'depends', `if call(298, 241, struct.pack('IIQQQQQ', 1, 112, 0, 0, 0, 0, 0x60) + bytes(64), 0, -1, -1, 0) >= 0: escaped()`],
    ['kernel.rings', 'submits work past the filter of system calls', 'depends', `if call(425, 425, 1, bytes(120)) >= 0: escaped()`],
    ['kernel.module', 'loads a module', 'stopped', `if call(175, 105, b'x', 1, b'') == 0 or ctypes.get_errno() not in (1, 38): escaped()`],
    ['kernel.reboot', 'restarts the machine', 'stopped', `if call(169, 142, -18751827, 672274793, 0, 0) == 0: escaped()`],
    ['kernel.clock', 'sets the clock', 'stopped', `time.clock_settime(time.CLOCK_REALTIME, time.time()); escaped()`],
    ['kernel.adjust', 'changes how the clock runs', 'stopped', `if call(159, 171, struct.pack('Q', 2) + bytes(200)) >= 0: escaped()`],
    ['kernel.name', 'renames the machine', 'stopped', `socket.sethostname('{{marker}}'); escaped()`],
    ['kernel.read-name', 'learns the name of the machine', 'open', `if socket.gethostname() == '{{hostname}}': escaped()`],
    ['kernel.swap', 'takes the swap space away', 'stopped', `if call(168, 225, b'/x') == 0 or ctypes.get_errno() != 1: escaped()`],
    ['kernel.log', 'reads the log of the kernel by a call', 'depends', `
data = ctypes.create_string_buffer(1000)
if libc.klogctl(3, data, 1000) > 0: escaped()`],
    ['terminal.own', 'opens the terminal of the server', 'stopped', `os.open('/dev/tty', os.O_RDWR); escaped()`],
    ['terminal.type', 'types into a terminal', 'depends', `
import fcntl, pty
main, other = os.openpty()
os.setsid()
fcntl.ioctl(other, 0x540E, 0)
fcntl.ioctl(other, 0x5412, b'x')
escaped()`],
    ['kernel.x32', 'calls the kernel by another table', 'depends', `if os.uname().machine == 'x86_64' and call(0x40000000 | 39, 0) > 0: escaped()`],
  ])
