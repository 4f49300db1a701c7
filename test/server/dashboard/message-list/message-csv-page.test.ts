import { expect, test } from 'vitest'
import { messageColumns } from '../../../../src/cli/message/message-views.js'
import { formatPlainCell } from '../../../../src/cli/output/column.js'
import type { RelayClient } from '../../../../src/client/relay-client.js'
import { formatCsvRow } from '../../../../src/util/text/csv-row.js'
import { openPhone, startWithBrowsers } from '../dashboard-relay.js'

const head = formatCsvRow(messageColumns.map(({ name }) => name))

async function createMessages(client: RelayClient, count: number): Promise<void> {
  const drafts = Array.from({ length: count }, (_, n) => ({
    destination: `+1202555${String(n).padStart(4, '0')}`,
    message: `Number ${n}`,
  }))
  for (let start = 0; start < count; start += 1000)
    await client.messages.createBatch(drafts.slice(start, start + 1000))
}

/** The file as the command line writes it. */
async function formatAsCommand(client: RelayClient): Promise<string> {
  const messages = await client.messages.list({ filter: 'all', order: 'desc', count: 100 })
  const rows = messages.map(each => messageColumns.map(({ read }) => formatPlainCell(read(each))))
  return head + rows.map(formatCsvRow).join('')
}

test('the file has the columns and cells of the command line', async () => {
  const now = () => Date.UTC(2028, 1, 29, 23, 59)
  const { client, browser, url, ann } = await startWithBrowsers({}, { now })
  await createMessages(client, 5)
  await client.messages.create({ destination: '+12025550199', message: '=1+1,"quoted"\nline 2' })
  const phone = openPhone(url, ann, { name: 'front-desk', driver: 'file' })
  const claim = async () => (await phone.messages.next())?.id ?? ''
  await phone.messages.reportFailure(await claim(), { error_message: '+CMS ERROR: 21' })
  const sent = await claim()
  await phone.messages.reportSuccess(sent, { parts: 2 })
  await phone.messages.reportDelivery([{ id: sent, state: 'delivered', part: 1 }])
  await client.messages.lock(await claim())
  const reply = await browser.get('/messages.csv')
  expect(reply.text).toBe(await formatAsCommand(client))
  expect(reply.text).toContain(`"'=1+1,""quoted""\nline 2"`)
  expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(reply.headers.get('cache-control')).toBe('private, no-store')
  const file = 'attachment; filename="messages-2028-02-29.csv"'
  expect(reply.headers.get('content-disposition')).toBe(file)
})

test('the list links to a file of all its pages with the same filter', async () => {
  const { client, browser } = await startWithBrowsers()
  await createMessages(client, 1100)
  const [first] = await client.messages.list({ filter: 'all', order: 'asc', count: 1 })
  await client.messages.lock(first?.id ?? '')
  const download = async (list: string) => {
    const page = await browser.get(list)
    const link = /href="(\/messages\.csv[^"]*)"/.exec(page.text)?.[1] ?? ''
    return (await browser.get(link.replaceAll('&amp;', '&'))).text.trimEnd().split('\r\n')
  }
  const all = await download('/messages?start=50')
  expect(all).toHaveLength(1101)
  expect(new Set(all).size).toBe(1101)
  expect(all[1]).toContain('Number 1099')
  expect((await download('/messages?order=asc'))[1]).toContain('Number 0')
  expect(await download('/messages?filter=locked')).toHaveLength(2)
  expect(await download('/messages?q=Number+109&age=day')).toHaveLength(12)
  expect(await download('/messages?phone=nothing')).toHaveLength(1)
})

test('the file has only messages of the account that downloads it', async () => {
  const { client, browser, bobBrowser } = await startWithBrowsers()
  await createMessages(client, 2)
  expect((await bobBrowser.get('/messages.csv')).text).toBe(head)
  browser.cookies.clear()
  expect((await browser.get('/messages.csv')).path).toMatch(/^\/login/)
})
