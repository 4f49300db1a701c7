import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkDirectory } from '../../../../src/server/data-directory.js'
import { temporaryFolder } from '../../../temporary-folder.js'
import { startWithBrowsers } from '../dashboard-relay.js'

const isShared = process.env.SMSRELAY_TEST_STORE === 'postgres'

function readFacts(html: string): Record<string, string> {
  const facts = html.matchAll(/<dt>([^<]*)<\/dt><dd>(.*?)<\/dd>/gs)
  return Object.fromEntries(
    [...facts].map(([, name = '', value = '']) => [name, value.replace(/<[^>]*>/g, '')]),
  )
}

test('the owner sees the version, the queue of all accounts and the store', async () => {
  const { browser, client } = await startWithBrowsers({}, { version: '1.2.3' })
  for (const message of ['Hello', 'Good morning'])
    await client.messages.create({ destination: '+12025550143', message })
  const { text } = await browser.get('/relay')
  expect(text).toContain('href="/relay" aria-current="page"')
  const facts = readFacts(text)
  expect(facts).toMatchObject({ Version: '1.2.3', 'Node.js': process.version, Due: '2' })
  const size = expect.stringMatching(/^[\d.]+ ([KMGT]i)?B$/)
  if (isShared)
    expect(facts).toMatchObject({
      Store: 'PostgreSQL database',
      'Size of the database': size,
      'Last vacuum of messages': expect.stringMatching(/^none$|UTC|\d\d:\d\d/),
      'Rows that a vacuum can remove': expect.stringMatching(/^[\d,]+$/),
    })
  else
    expect(facts).toMatchObject({
      Store: 'Data directory',
      'Free space of the disk': size,
      'Size of the journals': size,
      'Last compaction': 'none',
      'Compactions since the start': '0, 0 failed',
      Damage: 'none found',
    })
})

test('other accounts have no page about the relay, and no link to it', async () => {
  const { bobBrowser } = await startWithBrowsers()
  expect((await bobBrowser.get('/relay')).status).toBe(404)
  expect((await bobBrowser.get('/')).text).not.toContain('href="/relay"')
})

test('the owner makes backups, each with its own name, and sees the last one', async () => {
  const backupDir = join(await temporaryFolder(), 'backups')
  const { browser } = await startWithBrowsers({ backupDir }, { now: () => Date.UTC(2030, 0) })
  const before = readFacts((await browser.get('/relay')).text)
  expect(before).toMatchObject({ Directory: backupDir, 'Last backup': 'none' })
  const names = ['2030-01-01T00-00-00', '2030-01-01T00-00-00-2']
  const complete = names.map(name => (isShared ? `${name}.ndjson` : name))
  for (const name of complete) {
    const begun = await browser.submit('/relay/backup')
    expect([begun.path, begun.notice?.kind]).toEqual(['/relay', 'done'])
    expect(begun.notice?.text).toContain(name)
    await expect.poll(async () => await readdir(backupDir)).toContain(name)
  }
  expect((await readdir(backupDir)).sort()).toEqual(complete.toSorted())
  const size = expect.stringMatching(/^[\d.]+ ([KMGT]i)?B$/)
  expect(readFacts((await browser.get('/relay')).text)).toMatchObject({
    Name: complete[1],
    Size: size,
  })
  if (!isShared) expect((await checkDirectory(join(backupDir, names[1] ?? ''))).damages).toEqual([])
})

test('a backup that fails says why, and leaves nothing behind', async () => {
  const backupDir = join(await temporaryFolder(), 'backups')
  const { browser } = await startWithBrowsers({ backupDir })
  await writeFile(backupDir, 'a file')
  const failed = await browser.submit('/relay/backup')
  expect(failed.notice).toMatchObject({
    kind: 'failed',
    text: expect.stringContaining('--backup-dir'),
  })
})

test('without a directory for backups the page names the flag', async () => {
  const { browser, bobBrowser } = await startWithBrowsers()
  const { text } = await browser.get('/relay')
  expect(text).toContain('--backup-dir')
  expect(text).not.toContain('Back up now')
  expect((await browser.submit('/relay/backup')).notice?.kind).toBe('failed')
  expect((await bobBrowser.submit('/relay/backup')).status).toBe(404)
})
