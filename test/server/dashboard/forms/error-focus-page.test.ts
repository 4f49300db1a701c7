import { expect, test } from 'vitest'
import { Browser, type PageReply } from '../browser.js'
import { annEmail, openPhone, startWithBrowsers } from '../dashboard-relay.js'

/** The elements that take the focus when the page opens. */
function listFocused({ text }: PageReply): string[] {
  return [...text.matchAll(/<\w+ class="([^"]*)"[^>]* autofocus/g)].map(([, name = '']) => name)
}

function listLinkedFields({ text }: PageReply): string[] {
  const [summary = ''] = /<div class="notice bad errors".*?<\/div>\s*<\/div>/s.exec(text) ?? []
  return [...summary.matchAll(/href="#(\w+)"/g)].map(([, name = '']) => name)
}

const forms: { name: string; path: string; fields: Record<string, string> }[] = [
  { name: 'a wrong password', path: '/settings/keys', fields: { password: 'x' } },
  { name: 'a confirmed action', path: '/settings/keys/api', fields: { password: 'x' } },
  { name: 'a reply', path: '/conversations/%2B12025550123', fields: { message: '' } },
  { name: 'the settings', path: '/settings', fields: { country: 'xx', mode: 'at-least-once' } },
  { name: 'a new account', path: '/accounts/new', fields: { email: 'x', country: 'US' } },
]

test.each(forms)('a summary with the focus links to the errors of $name', async form => {
  const { browser } = await startWithBrowsers()
  const page = await browser.submit(form.path, form.fields)
  expect(page.status).toBeGreaterThanOrEqual(400)
  expect(listLinkedFields(page)).toEqual(Object.keys(page.errors))
  expect(listLinkedFields(page).length).toBeGreaterThan(0)
  expect(listFocused(page)).toEqual(['notice bad errors'])
})

test('an error of a whole form has the focus', async () => {
  const { browser, url } = await startWithBrowsers()
  const imported = await browser.submit('/contacts/import', { table: 'nothing\nx' })
  expect(listFocused(imported)).toEqual(['notice bad'])
  const refused = await new Browser(url).signIn(annEmail, 'a wrong password')
  expect(listFocused(refused)).toEqual(['notice bad'])
})

test('the form of a contact shows the errors of all its fields at once', async () => {
  const { browser } = await startWithBrowsers()
  const fields = { number: '', name: 'x'.repeat(101), fields: 'no colon' }
  const page = await browser.submit('/contacts', fields)
  expect(Object.keys(page.errors).sort()).toEqual(['fields', 'name', 'number'])
})

test('a page about an error leads to the page above it that the person can open', async () => {
  const { browser, bobBrowser } = await startWithBrowsers()
  const listButtons = ({ text }: PageReply): string[] =>
    [...text.matchAll(/<a class="btn" href="([^"]*)">Go to/g)].map(([, href = '']) => href)
  expect(listButtons(await browser.get('/messages/none'))).toEqual(['/messages', '/'])
  expect(listButtons(await browser.get('/settings/people/none'))).toEqual(['/settings/people', '/'])
  const download = await browser.get('/statistics.csv?from=2020-99-99')
  expect(listButtons(download)).toEqual(['/statistics', '/'])
  const refused = await browser.submit('/subscriptions/none/test')
  expect(listButtons(refused)).toEqual(['/subscriptions', '/'])
  expect(listButtons(await browser.get('/nothing'))).toEqual(['/'])
  expect(listButtons(await bobBrowser.get('/accounts/none'))).toEqual(['/'])
  const wrong = await browser.get('/contacts/x1')
  expect(wrong.text).toContain('<p>number x1 is not a phone number')
})

test('a reason in another direction of writing stays together', async () => {
  const { browser, client, ann, url } = await startWithBrowsers()
  await client.messages.create({ destination: '+12025550123', message: 'Hello' })
  const phone = openPhone(url, ann)
  const message = await phone.messages.next()
  await phone.messages.reportFailure(message?.id ?? '', { error_message: 'خطأ 123' })
  const { text } = await browser.get('/messages')
  expect(text).toContain('<bdi>خطأ 123</bdi> · 1 of 5 attempts failed')
})
