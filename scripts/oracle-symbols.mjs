// Measures the declarations of symbol_map against other parsers: test/oracle/symbols.ts says how.
process.argv.splice(2, 0, 'test/oracle/symbols.ts')
await import('./run-ts.mjs')
