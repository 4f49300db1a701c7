import { afterEach, expect, test } from 'vitest'
import { freshNumber, read } from '../acts.js'
import { expectError, json, useCallers } from '../calls.js'

const at = useCallers()

const path = '/user/settings'

const edit = async (fields: object) => await at.api.call('PATCH', path, json(fields))

async function report(from: string, message: string): Promise<{ reply?: { id: string } }> {
  const reply = await at.phone.call('POST', '/message/received', json({ from, message }))
  expect(reply.status, reply.text).toBe(200)
  return JSON.parse(reply.text).received
}

afterEach(async () => {
  await edit({ help_text: '', stop_text: '' })
})

test('extension: PATCH /user/settings sets the texts of automatic replies', async () => {
  const before = JSON.parse((await at.api.get(path)).text).settings
  expect(before).toMatchObject({ help_text: null, stop_text: null })
  expect(before).toMatchObject({ country: expect.any(String), mode: expect.any(String) })
  const reply = await edit({ help_text: 'Help', stop_text: 'Bye' })
  expect(reply.status, reply.text).toBe(200)
  const { settings, links } = JSON.parse(reply.text)
  expect(settings).toEqual({ ...before, help_text: 'Help', stop_text: 'Bye' })
  expect(links).toMatchObject({ edit: { method: 'PATCH' } })
  await edit({ help_text: '' })
  const alerts = 'alerts@example.com'
  expect(JSON.parse((await edit({ alerts })).text).settings).toMatchObject({ alerts })
  expectError(await edit({ alerts: 'nobody' }), 400, 'invalid_parameter')
  expect(JSON.parse((await edit({ alerts: '' })).text).settings).toMatchObject({ alerts: null })
  const after = JSON.parse((await at.api.get(path)).text).settings
  expect(after).toEqual({ ...before, stop_text: 'Bye' })
})

test.each([
  [{}, 'invalid_request'],
  [{ mode: 'at-most-once' }, 'invalid_request'],
  [{ help_text: 7 }, 'invalid_parameter'],
  [{ stop_text: 'x'.repeat(1601) }, 'invalid_parameter'],
])('extension: PATCH /user/settings of %j is %s', async (fields, code) => {
  const before = (await at.api.get(path)).text
  expectError(await edit(fields), 400, code)
  expect((await at.api.get(path)).text).toBe(before)
})

test('extension: the application key cannot read or change settings', async () => {
  expectError(await at.phone.get(path), 403, 'insufficient_scope')
  const reply = await at.phone.call('PATCH', path, json({ help_text: 'Help' }))
  expectError(reply, 403, 'insufficient_scope')
})

test('extension: HELP is answered, and STOP confirmed although it lists the number', async () => {
  await edit({ help_text: 'Help', stop_text: 'Bye' })
  const from = freshNumber()
  const help = (await report(from, 'Info?')).reply
  const stop = (await report(from, 'Stop')).reply
  const later = [await report(from, 'STOP'), await report(from, 'HELP')]
  expect(later.map(({ reply }) => reply)).toEqual([undefined, undefined])
  const texts = await Promise.all([help, stop].map(reply => read(at.api, reply?.id ?? '')))
  expect(texts).toMatchObject([
    { destination: from, message: 'Help', status: 'B' },
    { destination: from, message: 'Bye', status: 'N' },
  ])
  await at.api.delete(`/message/${stop?.id}`)
})

test('extension: without texts no keyword is answered', async () => {
  const from = freshNumber()
  expect(await report(from, 'HELP')).not.toHaveProperty('reply')
  expect(await report(from, 'STOP')).not.toHaveProperty('reply')
})
