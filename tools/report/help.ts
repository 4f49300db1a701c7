import { readFileSync } from 'node:fs'

/** The help of a tool: its README up to the second heading. */
export function readHelp(folder: 'abuse' | 'bench' | 'chaos'): string {
  const path = new URL(`../../../tools/${folder}/README.md`, import.meta.url)
  const [use = ''] = readFileSync(path, 'utf8').split('\n## ')
  return use.trimEnd()
}
