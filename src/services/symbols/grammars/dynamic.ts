/** Ruby, PHP, Swift and shell. */

import type { Grammar } from './grammar.ts'

export const ruby: Grammar = {
  wasm: 'ruby', comment: /^#/,
  query: `
(class name: [(constant) (scope_resolution)] @name) @class
(module name: [(constant) (scope_resolution)] @name) @module
(method name: (_) @name) @method
(singleton_method name: (_) @name) @method
(assignment left: (constant) @name) @constant
(alias name: (_) @name) @method
`,
}

export const php: Grammar = {
  wasm: 'php', comment: /^(?:\/\/|#(?!\[))/,
  query: `
(namespace_definition name: (_) @name) @module
(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(trait_declaration name: (_) @name) @trait
(enum_declaration name: (_) @name) @enum
(enum_case name: (_) @name) @member
(function_definition name: (_) @name) @function
(method_declaration name: (_) @name) @method
(property_declaration (property_element name: (_) @name)) @property
(property_promotion_parameter name: (_) @name) @property
(const_declaration (const_element . (_) @name)) @constant
(program (expression_statement (assignment_expression left: (variable_name) @name)) @variable)
`,
}

export const swift: Grammar = {
  wasm: 'swift', comment: /^\/\/\/?/,
  query: `
(class_declaration "class" name: (_) @name) @class
(class_declaration "actor" name: (_) @name) @class
(class_declaration "struct" name: (_) @name) @struct
(class_declaration "enum" name: (_) @name) @enum
(class_declaration "extension" name: (_) @name) @scope
(protocol_declaration name: (_) @name) @interface
(function_declaration "func" . name: _ @name) @function
(protocol_function_declaration "func" . name: _ @name) @method
(init_declaration "init" @name) @constructor
(deinit_declaration "deinit" @name) @method
(subscript_declaration "subscript" @name) @method
(typealias_declaration "typealias" . name: (_) @name) @type
(associatedtype_declaration name: (_) @name) @type
(enum_entry name: (_) @name) @member
(source_file (property_declaration name: (pattern bound_identifier: (_) @name)) @variable)
(class_body (property_declaration name: (pattern bound_identifier: (_) @name)) @property)
(enum_class_body (property_declaration name: (pattern bound_identifier: (_) @name)) @property)
(protocol_property_declaration name: (pattern bound_identifier: (_) @name)) @property
`,
}

export const shell: Grammar = {
  wasm: 'bash', comment: /^#(?!!)/,
  query: `
(function_definition name: (_) @name) @function
(program (variable_assignment name: (variable_name) @name) @variable)
(declaration_command (variable_assignment name: (variable_name) @name)) @variable
`,
}
