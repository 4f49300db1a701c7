import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import {
  findMethods,
  findTopLevelFunctions,
  listFiles,
  readText,
  type SourceFunction,
} from './source-tree.js'
import { verbs } from './verbs.js'

const code = listFiles(['src', 'commands', 'tools', 'test', 'bin'], /\.(tsx?|js)$/)
const product = listFiles(['src', 'commands'])
const source = product.filter(file => file.startsWith('src/'))
const pages = listFiles(['docs', 'tools', 'test', 'src', '*.md'], /\.md$/)

/** Words and phrases that stop a reader. They name an idea by a metaphor or an inverted clause. */
const banned = [
  /\bis none\b|\bnone is\b|\bare none\b|\bof which nobody\b|\bwhat became of\b|\bwhoever\b/i,
  /\banew\b|\bin vain\b|\bsave for\b|\bcannot be had\b|\bof no use\b|\bin hand\b|\bhad of it\b/i,
  /\bwants? looking\b|\bwhat wants\b|\bback unsent\b|\b(?:is|are|be) told of\b|\btells? of\b/i,
  /\blanes?\b|\bbells?\b|\bguess guard\b|\bwaiting room\b|\bnotebooks?\b|\binsists?\b|\banybody\b/i,
  /\bhits?\b|\bfold(?:s|ed|ing)?\b|\bmend(?:s|ed|ing)?\b|\bblocklists?\b|\bcalm\b|\bblame\b/i,
  /\bSPEC\.md\b|\bDESIGN\b|\bLAYOUT\.md\b|\bGLOSSARY\.md\b/,
]

const exported =
  /^export (?:abstract )?(?:async )?(function\*?|class|const|interface|type|let) (\w+)/gm

/**
 * Lines that quote a word of a file format, of a standard or of other software, such as the JSON
 * fields that `hook listen` and `hook receive` print.
 */
const exempt = new RegExp(
  [
    ...[/^test\/tidy\.test\.ts:/, /\bBlockList\b/],
    /^(?:commands|src\/cli|test\/(?:cli|commands))\/hook\/.*(?:['"]hit["']|\bhit,|\bhits\b)/,
    /^(?:commands|src\/cli|test\/(?:cli|commands))\/hook\/.*\blanes?\b/,
    /^test\/e2e\/(?:listen|relay)\.test\.ts:.*'hit'/,
    /^docs\/guide\/webhooks\.md:.*`hits?`/,
    /^docs\/reference\/cli\.md:\d+: Types of the lines with --json: .*\bhit,/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

function findLines(files: readonly string[], isWrong: (line: string) => boolean): string[] {
  return files.flatMap(file =>
    readText(file)
      .split('\n')
      .flatMap((line, index) => (isWrong(line) ? [`${file}:${index + 1}: ${line.trim()}`] : []))
      .filter(found => !exempt.test(found)),
  )
}

test('no line of code or comment has more than 100 columns', () => {
  expect(findLines(code, line => line.length > 100)).toEqual([])
})

test('no file has more than 250 lines', () => {
  const long = code.map(file => ({ file, lines: readText(file).split('\n').length - 1 }))
  expect(long.filter(({ lines }) => lines > 250)).toEqual([])
})

test('no function of the product has more than 40 lines', () => {
  const all = product.flatMap(file => [...findTopLevelFunctions(file), ...findMethods(file)])
  expect(all.length).toBeGreaterThan(1000)
  const toText = (each: SourceFunction): string => `${each.file}:${each.line} ${each.lines}`
  expect(all.filter(({ lines }) => lines > 40).map(toText)).toEqual([])
})

test('at least 70 % of the top-level functions begin with a verb', () => {
  const isComponent = ({ file, name }: SourceFunction): boolean =>
    file.endsWith('.tsx') && /^[A-Z]/.test(name)
  const named = source.flatMap(findTopLevelFunctions).filter(each => !isComponent(each))
  const begun = named.filter(({ name }) => verbs.has(/^[a-z]+/.exec(name)?.[0] ?? ''))
  expect(begun.length / named.length).toBeGreaterThan(0.7)
})

test('no comment, text or page uses a banned word', () => {
  const isBanned = (line: string): boolean => banned.some(pattern => pattern.test(line))
  expect(findLines([...code, ...pages], isBanned)).toEqual([])
})

test('the main file of each folder of src opens with a comment of 5 to 15 lines', () => {
  const folders = new Map<string, number[]>()
  for (const file of source.filter(name => dirname(name) !== 'src')) {
    const lengths = folders.get(dirname(file)) ?? []
    const header = /^(?:\/\/.*\n)+/.exec(readText(file))?.[0] ?? ''
    folders.set(
      dirname(file),
      header === '' ? lengths : [...lengths, header.split('\n').length - 1],
    )
  }
  const wrong = [...folders].filter(([, lengths]) => !lengths.some(n => n >= 5 && n <= 15))
  expect(wrong.map(([folder, lengths]) => `${folder}: ${lengths}`)).toEqual([])
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
