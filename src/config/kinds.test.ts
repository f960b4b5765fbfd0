import { describe, expect, it } from 'vitest'
import type { Kind } from './kinds.ts'
import {
  connection,
  domain,
  host,
  hostHeader,
  hostPattern,
  hostPort,
  network,
  origin,
  urlPrefix,
  webUrl,
} from './network-kinds.ts'
import { extension, folderName, headerPair, identifier, levelOverride, path, resourceUri } from './text-kinds.ts'

type Case = readonly [name: string, kind: Kind<string>, good: readonly string[], bad: readonly string[]]

const CASES: readonly Case[] = [
  [
    'a host',
    host(),
    ['127.0.0.1', '::1', '0.0.0.0', 'localhost', 'a.b-c.example'],
    ['a:1', '1:2', ':::', '300.1.1.1', 'http://a', 'a/b', '-a', 'a b', ''],
  ],
  [
    'a host pattern',
    hostPattern(),
    ['a.example', '*.a.example', '[::1]'],
    ['*', '*a.example', 'a.*.example', 'a.example:443', 'https://a'],
  ],
  [
    'a Host header',
    hostHeader(),
    ['a.example', 'a.example:8000', '[::1]:8000'],
    ['::1', 'a:0', 'a:70000', 'a:', '*', '[1:2]', 'http://a'],
  ],
  [
    'a host and port',
    hostPort(),
    ['127.0.0.1:11434', '[::1]:80', 'db:5432'],
    ['a', 'a:0', 'a:65536', '::1:80', 'http://a:80', 'a:80/x'],
  ],
  [
    'an origin',
    origin(),
    ['https://a.example', 'http://localhost:3000', 'vscode-webview://x1'],
    ['a.example', 'https://a/', 'https://u@a', 'null', '*'],
  ],
  [
    'a web URL',
    webUrl(),
    ['https://a.example', 'http://a:80/p?q=1', 'https://[::1]/'],
    ['ftp://a', 'https://u:p@a/', 'https://a/#f', 'https://', 'https://a b', '//a'],
  ],
  [
    'a URL prefix',
    urlPrefix(),
    ['https://a.example/in/', 'https://*.a.example/', 'http://a:8443/cb'],
    ['a.example', 'https://u@a/', 'https://a/?q', 'https://*/', 'https://a.*.b/', 'file:///x'],
  ],
  [
    'a network',
    network(),
    ['10.0.0.0/8', '10.1.2.3', '::1', 'fd00::/8'],
    ['10.0.0.0/33', '300.1.1.1', '10.0.0', 'fd00::/129', 'a.example', ':::'],
  ],
  [
    'a connection',
    connection('x'),
    ['postgresql://u:p@h/db', 'sqlite:///x.db', 'postgresql+asyncpg://h/db'],
    ['localhost', '://h', 'postgres://a b'],
  ],
  ['a domain', domain(), ['a.authkit.app', 'https://a.authkit.app/'], ['http://a', 'a/b', 'a b', '']],
  [
    'an identifier',
    identifier(),
    ['tenant', 'content_tsv', '_x1'],
    ['a.b', 'a"b', '1a', 'a;b', 'a b', 'é', 'x'.repeat(64)],
  ],
  ['an extension', extension(), ['.md', '.c++'], ['md', '.', '.a.b', './x', '.a b']],
  ['a folder name', folderName(), ['.git', 'node_modules', 'my dir'], ['.', '..', 'a/b', 'a\\b', ' a', 'a ', '']],
  ['a header', headerPair(), ['x-key=abc', 'authorization=Bearer%20x', 'x='], ['x', 'x y=1', '=1', 'x=1,2', 'x=\r\ny']],
  [
    'a level override',
    levelOverride(),
    ['doc_write=CONFIRM'],
    ['doc_write', 'doc_write=confirm', '=SAFE', 'a=SAFE=SAFE'],
  ],
  ['a path', path(), ['data', '/srv/data', '../data', './~', 'a~/b', '~backup', 'C:\\data'], ['', '~', '~/data', '~\\data', 'a\nb', 'a\u001b[2J']],
  ['a resource URI', resourceUri(), ['docs://index', 'doc://{+path}'], ['index', 'docs://a b', '']],
]

describe('the text kinds', () => {
  const fits = (kind: Kind<string>, text: string) => kind.schema().safeParse(kind.parseText(text)).success

  it.each(CASES)('take what is %s', (_, kind, good) => {
    expect(good.filter((text) => !fits(kind, text))).toEqual([])
  })

  it.each(CASES)('refuse what is not %s', (_, kind, _good, bad) => {
    expect(bad.filter((text) => fits(kind, text))).toEqual([])
  })

  it.each(CASES)('refuse control characters in %s', (_, kind, good) => {
    const forged = good.flatMap((text) => [`${text}\n`, `${text}\u0000`, `\u001b${text}`, `${text}\u0085`])
    expect(forged.filter((text) => fits(kind, text))).toEqual([])
  })
})
