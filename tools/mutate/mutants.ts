import { parseAst } from 'rolldown/parseAst'

/** A small change of a source file: a range and its new text, which is empty for a statement. */
export interface Mutant {
  readonly file: string
  readonly line: number
  readonly start: number
  readonly end: number
  readonly before: string
  readonly text: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

const swapped: Readonly<Record<string, string>> = {
  ...{ '===': '!==', '!==': '===', '<': '<=', '<=': '<', '>': '>=', '>=': '>' },
  ...{ '&&': '||', '||': '&&', '+': '-', '-': '+', '*': '/', '/': '*' },
}

/** Every change that the tool knows of a file, in functions: other code runs once, at import. */
export function findMutants(file: string, source: string): Mutant[] {
  const found: Mutant[] = []
  const add = ({ start, end }: Node, change: (before: string) => string) => {
    const before = source.slice(start, end)
    const line = source.slice(0, start).split('\n').length
    found.push({ file, line, start, end, before, text: change(before) })
  }
  const visit = (node: Node, inFunction: boolean): void => {
    if (inFunction) mutate(node, add)
    const inside = inFunction || /Function/.test(node.type)
    for (const child of listChildren(node)) visit(child, inside)
  }
  const program: unknown = parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' })
  visit(program as Node, false)
  return found
}

function mutate(node: Node, add: (node: Node, change: (before: string) => string) => void): void {
  const { type, operator, value } = node
  if (type === 'BlockStatement')
    for (const each of node.body as Node[])
      if (/^(?:Expression|Throw)Statement$/.test(each.type)) add(each, () => '')
  if (/^(?:If|While)Statement$|^ConditionalExpression$/.test(type))
    add(node.test as Node, test => `!(${test})`)
  const other = swapped[String(operator)]
  if (/^(?:Binary|Logical)Expression$/.test(type) && other !== undefined) {
    // The operator is the first one after the left operand, which can be in parentheses.
    const at = (node.left as Node).end - node.start
    add(node, text => text.slice(0, at) + text.slice(at).replace(String(operator), () => other))
  }
  if (type === 'Literal' && typeof value === 'boolean') add(node, () => String(!value))
  if (type === 'Literal' && typeof value === 'number') add(node, text => `(${text} + 1)`)
}

/** What a node consists of, without types and names of properties. */
function listChildren(node: Node): Node[] {
  return Object.entries(node).flatMap(([key, child]) => {
    if (key === 'key' || (node.type.startsWith('TS') && key !== 'expression')) return []
    return [child].flat().filter((each): each is Node => !!each && Object.hasOwn(each, 'type'))
  })
}

/** Applies mutants to the text of their file. */
export function applyMutants<T extends Mutant>(
  source: string,
  mutants: readonly T[],
  toText: (mutant: T) => string,
): string {
  return [...mutants]
    .sort((a, b) => b.start - a.start)
    .reduce((text, m) => text.slice(0, m.start) + toText(m) + text.slice(m.end), source)
}
