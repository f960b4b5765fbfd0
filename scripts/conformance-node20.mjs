// Lets the conformance suite start on Node.js 20, whose `fs` has no `globSync`. The suite imports it for a command that is not run here.
import { register } from 'node:module'

const asModule = (text) => `data:text/javascript,${encodeURIComponent(text)}`

const withGlob = asModule(`
export * from 'node:fs'
export { default } from 'node:fs'
export const globSync = () => { throw new Error('globSync needs Node.js 22') }
`)

register(asModule(`
export const resolve = (name, context, next) =>
  (name === 'fs' || name === 'node:fs') && context.parentURL?.includes('@modelcontextprotocol/conformance/dist')
    ? { url: ${JSON.stringify(withGlob)}, shortCircuit: true }
    : next(name, context)
`))
