/** Declarations as the TypeScript compiler's own parser sees them. */

import { readFileSync } from 'node:fs'
import ts from 'typescript-js-api'
import type { Told } from './told.ts'

const nameOf = (node: ts.Node): ts.Node | undefined => (ts.isBinaryExpression(node) ? nameOf(node.left) : (node as { name?: ts.Node }).name)

/** Functions and classes that a member is set to are declared by its name; a module that is one has none. */
function isAssigned(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.EqualsToken || !ts.isPropertyAccessExpression(node.left)) return false
  return isCallable(node.right) && node.left.name.text !== 'exports'
}

const isCallable = (node: ts.Node): boolean => ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isClassExpression(node)

/** Whether a name is taken out of a value and exported at once. */
function isExported(element: ts.BindingElement): boolean {
  const declaration = element.parent.parent
  if (element.dotDotDotToken || !ts.isVariableDeclaration(declaration) || !ts.isIdentifier(element.name)) return false
  const statement = declaration.parent.parent
  return isTop(declaration) && ts.isVariableStatement(statement) && (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false)
}

/** Whether a variable stands at the top of a file or a namespace. */
function isTop(declaration: ts.Node): boolean {
  const statement = declaration.parent.parent
  return ts.isVariableStatement(statement) && (ts.isSourceFile(statement.parent) || ts.isModuleBlock(statement.parent))
}

function kindOf(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node)) return 'function'
  if (ts.isClassDeclaration(node)) return 'class'
  if (ts.isInterfaceDeclaration(node)) return 'interface'
  if (ts.isTypeAliasDeclaration(node)) return 'type'
  if (ts.isEnumDeclaration(node)) return 'enum'
  if (ts.isEnumMember(node)) return 'member'
  if (ts.isModuleDeclaration(node)) return node.flags & ts.NodeFlags.GlobalAugmentation ? undefined : 'module'
  if (ts.isMethodDeclaration(node) || ts.isMethodSignature(node) || ts.isGetAccessor(node) || ts.isSetAccessor(node)) return 'method'
  if (ts.isConstructorDeclaration(node)) return 'constructor'
  if (ts.isPropertyDeclaration(node)) return 'field'
  if (ts.isPropertySignature(node)) return ts.isInterfaceDeclaration(node.parent) ? 'property' : undefined
  if (ts.isParameter(node)) return ts.isParameterPropertyDeclaration(node, node.parent) ? 'field' : undefined
  if (isAssigned(node)) return 'function'
  if (ts.isPropertyAssignment(node)) return isCallable(node.initializer) && !ts.isClassExpression(node.initializer) && (ts.isIdentifier(node.name) || ts.isStringLiteral(node.name)) ? 'method' : undefined
  if (ts.isBindingElement(node)) return isExported(node) ? 'variable' : undefined
  if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name)) return undefined
  const { initializer } = node
  if (initializer && isCallable(initializer)) return 'function'
  return isTop(node) ? 'variable' : undefined
}

export function tellTypescript(file: string): readonly Told[] {
  const text = readFileSync(file, 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, file.endsWith('x') ? ts.ScriptKind.TSX : undefined)
  const told: Told[] = []
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1
  const visit = (node: ts.Node): void => {
    const kind = kindOf(node)
    const name = nameOf(node)
    if (kind === 'constructor') {
      const word = node.getChildren(source).find((child) => child.kind === ts.SyntaxKind.ConstructorKeyword) ?? node
      told.push({ name: 'constructor', kind, line: lineOf(word.getStart(source)), start: lineOf(node.getStart(source)) })
    } else if (kind !== undefined && name !== undefined) {
      // A name of several parts is one declaration in each of them; the first counts.
      const isInner = ts.isModuleDeclaration(node) && ts.isModuleDeclaration(node.parent)
      const whole = ts.isVariableDeclaration(node) && ts.isVariableDeclarationList(node.parent) && ts.isVariableStatement(node.parent.parent) && node.parent.declarations[0] === node ? node.parent.parent : node
      if (!isInner) told.push({ name: name.getText(source).replace(/^(["'`])(.*)\1$/s, '$2'), kind, line: lineOf(name.getStart(source)), start: lineOf(whole.getStart(source)) })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return told
}
