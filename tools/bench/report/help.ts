import { readFileSync } from 'node:fs'

/** The usage of a tool: its README up to the second heading. */
export function helpOf(folder: 'bench' | 'chaos'): string {
  const readme = readFileSync(
    new URL(`../../../../tools/${folder}/README.md`, import.meta.url),
    'utf8',
  )
  const [use = ''] = readme.split('\n## ')
  return use.trimEnd()
}
