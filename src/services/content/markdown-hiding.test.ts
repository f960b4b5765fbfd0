import { describe, expect, it } from 'vitest'
import { hidesContent } from './markdown-hiding.ts'
import { sanitiseMarkdown } from './markdown-sanitiser.ts'

const hides = (style: string): boolean => hidesContent('span', ` style="${style}"`)

describe('text that a style hides', () => {
  it.each([
    'display:none', 'visibility:collapse', 'content-visibility:hidden', 'mso-hide:all', 'opacity:0.01', 'opacity:0%', 'filter:blur(2px) opacity(0)',
    'color:#fff', 'color:#FFFFFF', 'color:white', 'color:#fefefe', 'color: rgb(255, 255, 255)', 'color:rgb(100% 100% 100%)', 'color:hsl(0 0% 100%)', 'color:white;background:white',
    'color:white;background:none', 'color:white;background:black;background:#fff', 'color:#123456;background-color:#123456',
    'color:transparent', 'color:rgba(0,0,0,0)', 'color:rgb(0 0 0 / 0%)', 'color:#0000', 'color:#12345600', '-webkit-text-fill-color:transparent', 'color:var(--x, #fff)',
    'position:absolute;left:-9999px', 'left:-999em;position:fixed', 'position:relative;top:-100vh', 'position:absolute;right:calc(-1 * 9999px)', 'position:absolute;inset:-5000px auto auto 0', 'margin-left:-9999px',
    'text-indent:-9999px', 'text-indent:100%;white-space:nowrap;overflow:hidden',
    'height:0;overflow:hidden', 'max-height:0px;overflow-y:hidden', 'width:0;display:inline-block;overflow:hidden', 'width:1px;height:1px;overflow:clip',
    'clip-path:inset(100%)', 'clip-path:inset(50%)', 'clip-path:inset(0 100% 0 0)', 'clip-path:circle(0)', 'clip-path:polygon(0 0, 0 0, 0 0)', 'clip:rect(0,0,0,0);position:absolute', 'position:absolute;clip:rect(1px 1px 1px 1px)',
    'transform:scale(0)', 'transform:rotate(5deg) scaleX(0.001)', 'transform:matrix(0,0,0,0,0,0)', 'transform:translateX(-9999px)', 'transform:rotateY(90deg)', 'scale:0', 'translate:-9999px',
    'font-size:0', 'font-size:0.1px', 'font-size:.05em', 'font-size:1%', 'font:0/0 a', 'font:italic 0px serif',
    'DISPLAY : None !important', 'display:none ! important', 'visibility:hidden! important ', 'dis/**/play:none', 'display:n\\6f ne', 'display:none;display:bogus', 'd&#105;splay:none', 'a:b;display:none',
  ])('is hidden by %s', (style) => {
    expect(hides(style)).toBe(true)
  })

  it.each([
    'color:#333', 'color:red', 'color:#fff;background:#333', 'color:white;background-color:black', 'background:linear-gradient(90deg,#f00,#00f);-webkit-background-clip:text;color:transparent', 'background:white', 'background-color:transparent', 'border-color:transparent',
    'height:100px', 'height:0', 'width:0', 'width:1px;white-space:nowrap', 'overflow:hidden', 'max-width:100%;overflow:hidden', 'height:0;padding-bottom:56.25%;overflow:hidden', 'left:10px', 'left:-9999px', 'position:relative;top:-2px', 'position:absolute;left:50%;transform:translate(-50%,-50%)', 'left:50%;position:relative;width:100vw;margin-left:-50vw', 'margin:0 auto', 'margin-left:-12px',
    'text-indent:2em', 'text-indent:-1.5em', 'clip-path:inset(10% 20%)', 'clip-path:circle(50%)', 'clip-path:polygon(0 0, 100% 0, 50% 100%)', 'position:absolute;clip:rect(0,100px,100px,0)', 'transform:scale(1.5) rotate(90deg)', 'transform:none', 'transform:scale3d(1,1,0)',
    'font-size:10px', 'font-size:0.8em', 'font-size:80%', 'font-size:small', 'font:400 12px/0 a', 'font:12px/1.5 x', 'opacity:0.5', 'opacity:1', 'display:block', 'visibility:visible', 'line-height:0.9', 'constructor:x', 'toString:x;transform:constructor(0);color:constructor',
  ])('is not hidden by %s', (style) => {
    expect(hides(style)).toBe(false)
  })

  it.each([
    ['span', ' hidden', true], ['span', ' hidden=until-found', true], ['span', '/hidden', true], ['span', ' style=display:none', true], ['span', " style = 'display:none'", true],
    ['font', ' color=white', true], ['font', ' size="1" color="#FFF"', true], ['font', ' color=white bgcolor=black', false], ['font', ' size=1', false], ['font', ' color=red', false],
    ['span', ' color=white', false], ['span', ' title="hidden"', false], ['span', ' class="hidden-xs"', false], ['span', ' aria-hidden=true', false], ['span', ' data-style="display:none"', false], ['td', ' bgcolor="white"', false],
  ])('%s%s: %s', (name, attributes, isHidden) => {
    expect(hidesContent(name, attributes)).toBe(isHidden)
  })

  it.each([
    ['<span style="color:transparent">order</span> shown', 'shown\n'],
    ['<div style="position:absolute;left:-9999px">\n\norder\n\n</div>\n\nshown', 'shown\n'],
    ['<table><tr><td style="width:0"></td><td>shown</td></tr></table>', 'shown\n'],
    ['<font size=1 color=white>order</font> <font size=2 color=navy>shown</font>', 'shown\n'],
  ])('leaves a document, and nothing else does: %j', async (md, clean) => {
    expect(await sanitiseMarkdown(md)).toBe(clean)
  })

  it('is looked for in time that grows with the style', () => {
    const before = performance.now()
    for (const part of ['color:#000;background:#111;', 'height:9;overflow:x;', 'a', '(', 'rgb(', '/*', '\\', '1', '-1e', ' ', '="', "'", 'x y', 'polygon(0 0,', ':', '#fff', 'inset(', '&#58']) {
      for (const property of ['', 'color:', 'transform:', 'font:', 'clip-path:']) hidesContent('font', ` style="${property}${part.repeat(20_000)}" hidde${part.repeat(20_000)}`)
    }
    const many = Array.from({ length: 50_000 }, (_, index) => `color:#${index.toString(16)};background:rgb(0,0,${index})`).join(';')
    expect(hides(many)).toBe(true)
    expect(performance.now() - before).toBeLessThan(10_000)
  }, 60_000)
})
