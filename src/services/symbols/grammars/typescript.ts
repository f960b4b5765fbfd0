import type { Grammar } from './grammar.ts'

/** Everything that both grammars know. */
const SCRIPT = `
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(class_declaration name: (_) @name) @class
(method_definition name: (_) @name) @method
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @variable)))
(program (lexical_declaration (variable_declarator name: (identifier) @name) @variable))
(program (export_statement (variable_declaration (variable_declarator name: (identifier) @name) @variable)))
(program (variable_declaration (variable_declarator name: (identifier) @name) @variable))
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @function
(variable_declarator name: (identifier) @name value: (class)) @class
((assignment_expression left: (member_expression property: (_) @name) right: [(arrow_function) (function_expression) (generator_function)]) @function (#not-eq? @name "exports"))
((assignment_expression left: (member_expression property: (_) @name) right: (class)) @class (#not-eq? @name "exports"))
(pair key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression) (generator_function)]) @method
(program (export_statement (lexical_declaration (variable_declarator name: (object_pattern [
  (shorthand_property_identifier_pattern) @name
  (pair_pattern value: (identifier) @name)
  (object_assignment_pattern left: (_) @name)])) @variable)))
(program (export_statement (lexical_declaration (variable_declarator name: (array_pattern (identifier) @name)) @variable)))
`

const WRAPPERS = ['export_statement']
/** A decorator of a member stands before it. */
const DECORATOR = /^@[\w.]+(?:\(.*\))?$/

export const javascript: Grammar = {
  wasm: 'javascript', wrappers: WRAPPERS, attribute: DECORATOR, comment: /^\/\//,
  query: `${SCRIPT}
(field_definition property: (_) @name) @field
`,
}

const TYPED = `${SCRIPT}
(function_signature name: (_) @name) @function
(abstract_class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name) @enum
(enum_body name: (_) @name @member)
(enum_body (enum_assignment name: (_) @name) @member)
(internal_module name: (_) @name) @module
(module name: (_) @name) @module
(public_field_definition name: (_) @name) @field
(method_signature name: (_) @name) @method
(abstract_method_signature name: (_) @name) @method
(interface_body (property_signature name: (_) @name) @property)
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @field
(required_parameter "readonly" pattern: (identifier) @name) @field
(optional_parameter (accessibility_modifier) pattern: (identifier) @name) @field
(optional_parameter "readonly" pattern: (identifier) @name) @field
(statement_block (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @variable)))
(internal_module body: (statement_block (lexical_declaration (variable_declarator name: (identifier) @name) @variable)))
(module body: (statement_block (lexical_declaration (variable_declarator name: (identifier) @name) @variable)))
(module body: (statement_block (variable_declaration (variable_declarator name: (identifier) @name) @variable)))
(ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name) @variable))
(ambient_declaration (variable_declaration (variable_declarator name: (identifier) @name) @variable))
`

export const typescript: Grammar = { wasm: 'typescript', wrappers: WRAPPERS, attribute: DECORATOR, comment: /^\/\//, query: TYPED }
export const tsx: Grammar = { ...typescript, wasm: 'tsx' }
