import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { listFiles, readText } from './source-tree.js'

const code = listFiles(['src', 'commands', 'tools', 'test', 'bin'], /\.(tsx?|js)$/)
const source = listFiles(['src'])

const exported =
  /^export (?:abstract )?(?:async )?(function\*?|class|const|interface|type|let) (\w+)/gm

function findLines(files: readonly string[], isWrong: (line: string) => boolean): string[] {
  return files.flatMap(file =>
    readText(file)
      .split('\n')
      .flatMap((line, index) => (isWrong(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  )
}

test('no line of code or comment has more than 100 columns', () => {
  expect(findLines(code, line => line.length > 100)).toEqual([])
})

test('commands write to the terminal with print, which removes escape sequences', () => {
  const files = listFiles(['src/cli', 'commands'])
  const direct = findLines(files, line => /\b(?:stdout|stderr|stream)\.write\(/.test(line))
  expect(direct.map(line => line.replace(/:.*/, ''))).toEqual([
    // It clears the screen of `status --watch`.
    'commands/status.ts',
    // What is no terminal gets CSV and JSON as they are.
    'src/cli/command/base-command.ts',
    'src/cli/output/progress-line.ts',
    'src/cli/output/progress-line.ts',
    'src/cli/output/record-printer.ts',
    // Help and version have no text from outside.
    'src/cli/program/run-command-line.ts',
    'src/cli/program/run-command-line.ts',
    'src/cli/terminal/io.ts',
  ])
})

test('every file and section that a comment or page cites exists', () => {
  const known = new Set(listFiles(['.'], /./))
  const folders = new Set([...known].flatMap(file => dirname(file)))
  const headings = new Set(
    [...readText('docs/reference/interface.md').matchAll(/^#+ (\d+(?:\.\d+)*)/gm)].map(m => m[1]),
  )
  const wrong = findLines(code, line => {
    const paths = line.matchAll(/(?<![\w./-])((?:src|docs|test|tools|commands)\/[\w./-]*\w)/g)
    const isComment = /^\s*(?:\/\/|\/?\*)/.test(line)
    const sections = line.matchAll(/interface\.md,? (?:sections? )?(\d+(?:\.\d+)*)/g)
    return (
      (isComment && [...paths].some(([, path = '']) => !known.has(path) && !folders.has(path))) ||
      [...sections].some(([, section]) => !headings.has(section))
    )
  })
  expect(wrong).toEqual([])
})

test('every exported value of src is used outside its file, and every type is used', () => {
  /** In how many files each word is. */
  const counts = new Map<string, number>()
  for (const file of code) {
    for (const word of new Set(readText(file).match(/\w+/g)))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const unused = source.flatMap(file => {
    const text = readText(file)
    return [...text.matchAll(exported)]
      .filter(([, kind = '', name = '']) => {
        if (counts.get(name) !== 1) return false
        const uses = text.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []
        return uses.length === 1 || !/interface|type/.test(kind)
      })
      .map(([, , name]) => `${file}: ${name}`)
  })
  expect(unused).toEqual([])
})
