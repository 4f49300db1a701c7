import { readFileSync } from 'node:fs'

/** What the README of a program in `folder` says of its use: all before its second heading. */
export function helpOf(folder: 'bench' | 'chaos'): string {
  const readme = readFileSync(
    new URL(`../../../../tools/${folder}/README.md`, import.meta.url),
    'utf8',
  )
  const [use = ''] = readme.split('\n## ')
  return use.trimEnd()
}
