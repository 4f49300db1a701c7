import { expect, test } from 'vitest'
import { freshNumber, freshText } from '../../acts.js'
import { expectError, json, useCallers } from '../../calls.js'

const at = useCallers()

/** Creates a resource, and returns its path. */
async function create(list: string, draft: object, name: string): Promise<string> {
  const { body } = await at.api.call('POST', list, json(draft))
  const { id, number } = (body as unknown as Record<string, Record<string, string>>)[name] ?? {}
  return `${list}/${encodeURIComponent(id ?? number ?? '')}`
}

const resources: Readonly<Record<string, () => Promise<string>>> = {
  contact: async () => await create('/contact', { number: freshNumber() }, 'contact'),
  group: async () => await create('/group', { name: freshText() }, 'group'),
  template: async () => await create('/template', { name: freshText(), text: 'Hello' }, 'template'),
}

const settings: Readonly<Record<string, readonly object[]>> = {
  '/user/settings': [{ help_text: 'a' }, { help_text: 'b' }, { help_text: '' }],
  '/account/<email>/limits': [100_001, 100_002, null].map(max => ({ messages_per_day: max })),
}

async function getTag(path: string): Promise<string> {
  const tag = (await at.api.get(path)).headers.get('etag') ?? ''
  expect(tag).toMatch(/^"[!#-~]+"$/)
  return tag
}

async function send(method: string, path: string, tag: string, body?: object) {
  const { headers = {}, ...rest } = body === undefined ? {} : json(body)
  return await at.api.call(method, path, { ...rest, headers: { ...headers, 'if-match': tag } })
}

test.each(Object.keys(resources))('extension: of two edits of one %s one counts', async kind => {
  const path = (await resources[kind]?.()) ?? ''
  const tag = await getTag(path)
  const edits = [{ name: freshText() }, { name: freshText() }]
  const replies = await Promise.all(edits.map(edit => send('PATCH', path, tag, edit)))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 412])
  const changed = replies.find(({ status }) => status === 200)
  expect(changed?.headers.get('etag')).toBe(await getTag(path))
  expectError(await send('DELETE', path, tag), 412, 'precondition_failed')
  expect((await send('DELETE', path, await getTag(path))).status).toBe(200)
})

test.each(Object.keys(settings))('extension: of two edits of %s one counts', async name => {
  const [first = {}, second = {}, unset = {}] = settings[name] ?? []
  const path = name.replace('<email>', encodeURIComponent(at.owner.email))
  const { text } = await at.api.get(path)
  const tag = await getTag(path)
  const replies = await Promise.all([first, second].map(edit => send('PATCH', path, tag, edit)))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 412])
  const changed = replies.find(({ status }) => status === 200)
  expect(changed?.headers.get('etag')).toBe(await getTag(path))
  expect((await send('PATCH', path, '*', unset)).text).toBe(text)
})

test('extension: the ETag of a group is the same with another member', async () => {
  const name = freshText()
  const path = await create('/group', { name }, 'group')
  const tag = await getTag(path)
  await create('/contact', { number: freshNumber(), groups: [name] }, 'contact')
  const { body } = await at.api.get(path)
  expect(body).toMatchObject({ group: { name, members: 1 } })
  expect(await getTag(path)).toBe(tag)
  expectError(await at.stranger.get(path), 404, 'not_found')
})
