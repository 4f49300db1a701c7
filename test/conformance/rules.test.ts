import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const here = new URL('./', import.meta.url)

async function readSources(): Promise<string[]> {
  const names = (await readdir(here, { recursive: true })).filter(name => name.endsWith('.test.ts'))
  const suite = names.filter(name => name !== 'rules.test.ts')
  return Promise.all(suite.map(name => readFile(new URL(name, here), 'utf8')))
}

/** The names of the tests in the code, with placeholders. */
async function listTestNames(): Promise<string[]> {
  const calls = /(?:\btest|\))\(\s*'([^'\n]+)',\s/g
  return (await readSources()).flatMap(text =>
    [...text.matchAll(calls)].map(match => match[1] ?? ''),
  )
}

async function listNamesInTable(): Promise<string[]> {
  const text = await readFile(new URL('README.md', here), 'utf8')
  const rows = text.matchAll(/^\|.*\| +`([^`]+)` *\|$/gm)
  return [...rows].map(match => match[1] ?? '')
}

test('the pattern finds the name of every test', async () => {
  const calls = (await readSources()).join('\n').match(/^test(?:\.each)?[(<]/gm) ?? []
  expect(calls.length).toBeGreaterThan(100)
  expect(await listTestNames()).toHaveLength(calls.length)
})

test('the name of every test begins with its section or with "extension"', async () => {
  const stray = (await listTestNames()).filter(name => !/^([1-9](\.\d)? |extension: )/.test(name))
  expect(stray).toEqual([])
})

test('the names are unique and do not say should', async () => {
  const names = await listTestNames()
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  expect(names.filter(name => /\bshould\b/.test(name))).toEqual([])
})

test('the table of rules and the suite name the same tests', async () => {
  const listed = new Set(await listNamesInTable())
  expect([...listed].sort()).toEqual((await listTestNames()).sort())
})
