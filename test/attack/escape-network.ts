import { javascript, python } from './escape-attempt.ts'
import type { Attempt } from './escape-attempt.ts'

/** Ways to talk to somebody else. */
export const NETWORK_ATTEMPTS: readonly Attempt[] = [
  ...python([
    ['network.loopback', 'connects to a service on this machine', 'open', `socket.create_connection(('127.0.0.1', {{port}}), 5); escaped()`],
    ['network.public', 'sends packets to the internet', 'depends', `socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 9)); escaped()`],
    ['network.public-ipv6', 'sends packets to the internet over IPv6', 'depends', `socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).sendto(b'x', ('2001:db8::1', 9)); escaped()`],
    ['network.abstract', 'connects to an abstract Unix socket', 'open', `s = socket.socket(socket.AF_UNIX); s.connect('\\0{{abstract}}'); escaped()`],
    ['network.unix', 'connects to a Unix socket by its path', 'open', `s = socket.socket(socket.AF_UNIX); s.connect('{{folder}}/socket'); escaped()`],
    ['network.interfaces', 'sees the network interfaces of the machine', 'depends', `
names = [line.split(':')[0].strip() for line in open('/proc/net/dev') if ':' in line]
if [name for name in names if name not in ('lo',)]: escaped()`],
    ['network.raw', 'forges packets', 'stopped', `socket.socket(socket.AF_INET, socket.SOCK_RAW, 1); escaped()`],
    ['network.packet', 'reads packets of others', 'stopped', `socket.socket(17, socket.SOCK_RAW, 3); escaped()`],
    ['network.vsock', 'opens a socket to the host of a virtual machine', 'depends', `socket.socket(40, socket.SOCK_STREAM); escaped()`],
    ['network.netlink', 'talks to the network configuration of the kernel', 'open', `socket.socket(16, socket.SOCK_RAW, 0); escaped()`],
    ['network.crypto', 'reaches the cryptographic sockets of the kernel', 'depends', `socket.socket(38, socket.SOCK_SEQPACKET); escaped()`],
  ]),
  ...javascript([
    ['network.loopback-js', 'connects to a service on this machine, from JavaScript', 'open', `require('node:net').connect({{port}}, '127.0.0.1', escaped).on('error', () => {}); setTimeout(() => process.exit(), 2000)`],
  ]),
]
