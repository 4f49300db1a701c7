import { expect, test } from 'vitest'
import { openClient, startRelay } from '../dashboard-relay.js'

test('the latest messages and received texts have the names of contacts', async () => {
  const relay = await startRelay()
  const client = openClient(relay.url, relay.ann)
  const browser = await relay.openBrowser()
  await client.contacts.create({ number: '+12025550143', name: 'Ida <Berg>' })
  await client.messages.create({ destination: '+12025550143', message: 'Hello' })
  await client.messages.create({ destination: '+12025550144', message: 'Hello' })
  await client.receivedTexts.report({ from: '+12025550143', message: 'Thanks' })
  const { text } = await browser.get('/')
  const names = text.matchAll(
    /<a class="num clip"[^>]*><span class="unseen">([^<]*)<\/span><bdi>([^<]*)/g,
  )
  const listed = [...names].map(([, way = '', name = '']) => way + name.trim())
  expect(listed.sort()).toEqual([
    'Received from Ida &lt;Berg>',
    'To +12025550144',
    'To Ida &lt;Berg>',
  ])
})
