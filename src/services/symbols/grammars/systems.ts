/** Go, Rust, C and C++. */

import type { Grammar } from './grammar.ts'

export const go: Grammar = {
  wasm: 'go', comment: /^\/\//,
  query: `
(function_declaration name: (_) @name) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: [
  (type_identifier) @owner
  (pointer_type [(type_identifier) @owner (generic_type type: (type_identifier) @owner)])
  (generic_type type: (type_identifier) @owner)])) name: (_) @name) @method
(type_spec name: (_) @name type: (struct_type)) @struct
(type_spec name: (_) @name type: (interface_type)) @interface
(type_spec name: (_) @name) @type
(type_alias name: (_) @name) @type
(source_file (const_declaration (const_spec (identifier) @name) @constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @variable)))
(field_declaration name: (field_identifier) @name) @field
(method_elem name: (_) @name) @method
`,
}

export const rust: Grammar = {
  wasm: 'rust', attribute: /^#!?\[.*\]$/, comment: /^\/\/[/!]?/,
  query: `
(function_item name: (_) @name) @function
(foreign_mod_item body: (declaration_list (function_signature_item name: (_) @name) @function))
(function_signature_item name: (_) @name) @method
(struct_item name: (_) @name) @struct
(enum_item name: (_) @name) @enum
(enum_variant name: (_) @name) @member
(union_item name: (_) @name) @union
(trait_item name: (_) @name) @trait
(type_item name: (_) @name) @type
(associated_type name: (_) @name) @type
(const_item name: (_) @name) @constant
(static_item name: (_) @name) @variable
(mod_item name: (_) @name) @module
(macro_definition name: (_) @name) @macro
(field_declaration name: (_) @name) @field
(impl_item type: [(type_identifier) @name (primitive_type) @name (reference_type) @name (dynamic_type) @name (array_type) @name (tuple_type) @name (generic_type type: [(type_identifier) @name (scoped_type_identifier name: (_) @name)]) (scoped_type_identifier name: (_) @name)]) @scope
`,
}

const C_LIKE = `
(preproc_def name: (_) @name) @macro
(preproc_function_def name: (_) @name) @macro
(struct_specifier name: (type_identifier) @name body: (_)) @struct
(union_specifier name: (type_identifier) @name body: (_)) @union
(enum_specifier name: (type_identifier) @name body: (_)) @enum
(enumerator name: (_) @name) @member
(type_definition declarator: (_) @name) @type
(function_definition declarator: (_) @name) @function
(field_declaration declarator: (_) @name) @field
(translation_unit (declaration declarator: (_) @name) @variable)
(preproc_if (declaration declarator: (_) @name) @variable)
(preproc_ifdef (declaration declarator: (_) @name) @variable)
(preproc_else (declaration declarator: (_) @name) @variable)
(preproc_elif (declaration declarator: (_) @name) @variable)
(linkage_specification body: (declaration declarator: (_) @name) @variable)
(linkage_specification body: (declaration_list (declaration declarator: (_) @name) @variable))
`

export const c: Grammar = { wasm: 'c', comment: /^\/\/[/!]?/, query: C_LIKE }

export const cpp: Grammar = {
  wasm: 'cpp', wrappers: ['template_declaration'], comment: /^\/\/[/!]?/,
  query: `${C_LIKE}
(class_specifier name: [(type_identifier) @name (template_type name: (_) @name) (qualified_identifier) @name] body: (_)) @class
(struct_specifier name: [(template_type name: (_) @name) (qualified_identifier) @name] body: (_)) @struct
(union_specifier name: [(template_type name: (_) @name) (qualified_identifier) @name] body: (_)) @union
(namespace_definition name: (_) @name) @module
(alias_declaration name: (_) @name) @type
(concept_definition name: (_) @name) @type
(namespace_definition body: (declaration_list (declaration declarator: (_) @name) @variable))
(template_declaration (declaration declarator: (_) @name) @variable)
(friend_declaration (function_definition declarator: (_) @name) @function)
(field_declaration_list (declaration declarator: (_) @name) @function)
`,
}
