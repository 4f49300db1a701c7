import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listFiles } from '../../source-tree.js'
import { readMessage } from './read-mail.js'

/** Mails as programs write them, with invented names; each has the text that it must become. */
const mails = listFiles(['test/fixtures/mail'], /\.eml$/)

test('there are mails of every kind of program', () => {
  expect(mails.length).toBeGreaterThanOrEqual(40)
})

test.each(mails)('%s', async file => {
  // The files have line feeds, so that editors and git leave them as they are.
  const bytes = readFileSync(file, 'latin1').replaceAll('\n', '\r\n')
  const text = await readMessage(Buffer.from(bytes, 'latin1'))
  expect(`${text}\n`).toBe(readFileSync(file.replace(/\.eml$/, '.txt'), 'utf8'))
})
