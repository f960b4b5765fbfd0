import type { Grammar } from './grammar.ts'

export const python: Grammar = {
  wasm: 'python', wrappers: ['decorated_definition'], comment: /^#/, docstring: true,
  query: `
(function_definition name: (identifier) @name) @function
(class_definition name: (identifier) @name) @class
(type_alias_statement left: (type [(identifier) @name (generic_type (identifier) @name)])) @type
(module (expression_statement (assignment left: (identifier) @name)) @variable)
(module (expression_statement (assignment left: [(pattern_list (identifier) @name) (tuple_pattern (identifier) @name)])) @variable)
(module (expression_statement (assignment right: (assignment left: (identifier) @name))) @variable)
(class_definition body: (block (expression_statement (assignment left: (identifier) @name)) @field))
(class_definition body: (block (expression_statement (assignment right: (assignment left: (identifier) @name))) @field))
`,
}
