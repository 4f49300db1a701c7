import { expect, test } from 'vitest'
import { allRules } from '../../src/cli/verify/rules/all-rules.js'
import { listTests, readSources, renderReadme } from './readme.js'

test('the pattern finds the name of every test', async () => {
  const texts = (await readSources()).map(({ text }) => text)
  const calls = texts.join('\n').match(/^test(?:\.each)?[(<]/gm) ?? []
  expect(calls.length).toBeGreaterThan(100)
  expect(await listTests()).toHaveLength(calls.length)
})

test('the name of every test begins with its section or with "extension"', async () => {
  const stray = (await listTests()).filter(({ name }) => !/^([1-9](\.\d)? |extension: )/.test(name))
  expect(stray).toEqual([])
})

test('names of tests and rules are unique and do not say should', async () => {
  const rules = allRules.map(({ section, title }) => `${section} ${title}`)
  const names = [...(await listTests()).map(({ name }) => name), ...rules]
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  expect(names.filter(name => /\bshould\b/.test(name))).toEqual([])
})

test('the README lists the rules and tests as they are', async () => {
  await expect(await renderReadme()).toMatchFileSnapshot('./README.md')
})
