import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** The project's top folder. */
export const projectRoot = join(import.meta.dirname, '..')

/** Files of the project below some top folders, generated and ignored files left out. */
export function listFiles(tops: readonly string[], pattern: RegExp = /\.tsx?$/): string[] {
  const args = ['ls-files', '-co', '--exclude-standard', '--', ...tops]
  const names = execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).split('\n')
  return [...new Set(names)]
    .filter(name => name !== '' && pattern.test(name))
    .filter(name => existsSync(join(projectRoot, name)))
    .sort()
}

/** The text of a file of the project. */
export function readText(file: string): string {
  return readFileSync(join(projectRoot, file), 'utf8')
}

/** One import: the importing file, the specifier, and the file if it belongs to the project. */
export interface Import {
  readonly file: string
  readonly specifier: string
  readonly target: string | undefined
}

/** Every import of the files, of types too, static and dynamic. */
export function listImports(files: readonly string[]): Import[] {
  const known = new Set([...files, ...listFiles(['src'], /\.json$/)])
  return files.flatMap(file =>
    findSpecifiers(readText(file)).map(specifier => {
      const target = resolveImport(file, specifier, known)
      return { file, specifier, target }
    }),
  )
}

function findSpecifiers(text: string): string[] {
  const found = text.matchAll(/(?:^|[\s;(])(?:from|import)\s*\(?\s*['"]([^'"\n]+)['"]/g)
  return [...found].map(match => match[1] ?? '')
}

function resolveImport(
  file: string,
  specifier: string,
  known: ReadonlySet<string>,
): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  const path = normalize(join(dirname(file), specifier))
  const candidates = [path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx'), path]
  return candidates.find(candidate => known.has(candidate))
}

/** Cycles of a graph: each strongly connected component of two nodes or more. */
export function findCycles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reach = new Map([...edges.keys()].map(node => [node, reachable(node, edges)]))
  const cycles = new Map<string, string[]>()
  for (const [node, nodes] of reach) {
    if (!nodes.has(node)) continue
    const cycle = [...nodes].filter(other => reach.get(other)?.has(node)).sort()
    cycles.set(cycle.join(' '), cycle)
  }
  return [...cycles.values()]
}

function reachable(from: string, edges: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const seen = new Set<string>()
  const waiting = [...(edges.get(from) ?? [])]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (seen.has(node)) continue
    seen.add(node)
    waiting.push(...(edges.get(node) ?? []))
  }
  return seen
}
