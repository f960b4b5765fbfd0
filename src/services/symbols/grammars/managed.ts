/** Java, Kotlin, Scala and C#. */

import type { Grammar } from './grammar.ts'

export const java: Grammar = {
  wasm: 'java', comment: /^\/\//,
  query: `
(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(annotation_type_declaration name: (_) @name) @interface
(enum_declaration name: (_) @name) @enum
(record_declaration name: (_) @name) @class
(enum_constant name: (_) @name) @member
(method_declaration name: (_) @name) @method
(annotation_type_element_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @constructor
(compact_constructor_declaration name: (_) @name) @constructor
(field_declaration declarator: (variable_declarator name: (_) @name)) @field
(constant_declaration declarator: (variable_declarator name: (_) @name)) @field
`,
}

export const csharp: Grammar = {
  wasm: 'c-sharp', comment: /^\/\/\/?/,
  query: `
(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(struct_declaration name: (_) @name) @struct
(record_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @enum
(enum_member_declaration name: (_) @name) @member
(delegate_declaration name: (_) @name) @type
(namespace_declaration name: (_) @name) @module
(file_scoped_namespace_declaration name: (_) @name) @module
(method_declaration name: (_) @name) @method
(local_function_statement name: (_) @name) @function
(constructor_declaration name: (_) @name) @constructor
(property_declaration name: (_) @name) @property
(event_declaration name: (_) @name) @property
(event_field_declaration (variable_declaration (variable_declarator name: (_) @name))) @field
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @field
`,
}

export const kotlin: Grammar = {
  wasm: 'kotlin', comment: /^\/\//, implied: { companion_object: 'Companion' },
  query: `
(class_declaration (modifiers (class_modifier "enum")) name: (_) @name) @enum
(class_declaration "interface" name: (_) @name) @interface
(class_declaration name: (_) @name) @class
(object_declaration name: (_) @name) @class
(companion_object name: (_) @name) @class
(companion_object !name "object" @name) @class
(function_declaration name: (identifier) @name) @function
(secondary_constructor "constructor" @name) @constructor
(enum_entry . (_) @name) @member
(type_alias type: (_) @name) @type
(source_file (property_declaration (variable_declaration . (identifier) @name)) @variable)
(class_body (property_declaration (variable_declaration . (identifier) @name)) @property)
(class_parameter ["val" "var"] . (identifier) @name) @property
`,
}

export const scala: Grammar = {
  wasm: 'scala', comment: /^\/\//,
  query: `
(class_definition name: (_) @name) @class
(object_definition name: (_) @name) @module
(trait_definition name: (_) @name) @trait
(enum_definition name: (_) @name) @enum
(simple_enum_case name: (_) @name) @member
(full_enum_case name: (_) @name) @member
(function_definition name: (_) @name) @function
(function_declaration name: (_) @name) @function
(type_definition name: (_) @name) @type
(given_definition name: (_) @name) @variable
(template_body (val_definition pattern: (identifier) @name) @variable)
(template_body (var_definition pattern: (identifier) @name) @variable)
(template_body (val_declaration name: (_) @name) @variable)
(template_body (var_declaration name: (_) @name) @variable)
(compilation_unit (val_definition pattern: (identifier) @name) @variable)
(compilation_unit (var_definition pattern: (identifier) @name) @variable)
`,
}
