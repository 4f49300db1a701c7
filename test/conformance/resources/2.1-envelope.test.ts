import { expect, test } from 'vitest'
import { createMessage, messageIn, subscribe } from '../acts.js'
import { type Links, useCallers } from '../calls.js'

const at = useCallers()

const hook = { event: 'message.failed', url: 'http://127.0.0.1:9/hook' }

function messageLinks(id: string): Links {
  const message = `${at.baseUrl}/api/1/message`
  return {
    list: { method: 'GET', url: message },
    next: { method: 'NEXT', url: message },
    new: { method: 'POST', url: message },
    get: { method: 'GET', url: `${message}/${id}` },
    edit: { method: 'PATCH', url: `${message}/${id}` },
    delete: { method: 'DELETE', url: `${message}/${id}` },
    success: { method: 'PUT', url: `${message}/${id}/success` },
    failure: { method: 'PUT', url: `${message}/${id}/failure` },
  }
}

function lasting(links: Links): Links {
  const { edit: _edit, success: _success, failure: _failure, ...rest } = links
  return rest
}

test.each<[string, () => Promise<string>]>([
  ['message', async () => `/message/${(await createMessage(at.api)).id}`],
  ['subscription', async () => `/subscription/${(await subscribe(at.api, hook)).id}`],
  ['user', async () => '/user'],
])('2.1 a reply has the %s, its links and nothing else', async (name, create) => {
  const { body } = await at.api.get(await create())
  expect(Object.keys(body).sort()).toEqual(['links', name].sort())
})

test.each(['N', 'E'])('2.1 a message in %s has all eight links, absolute', async letter => {
  const id = await messageIn(at.api, letter)
  expect((await at.api.get(`/message/${id}`)).body.links).toEqual(messageLinks(id))
})

test.each(['S', 'F', 'L', 'B'])(
  '2.1 a message in %s has no edit, success and failure links',
  async letter => {
    const id = await messageIn(at.api, letter)
    expect((await at.api.get(`/message/${id}`)).body.links).toEqual(lasting(messageLinks(id)))
  },
)
