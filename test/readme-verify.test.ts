import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test, vi } from 'vitest'
import { createWebhookRequest } from '../src/contract/webhook/webhook-request.js'
import { temporaryFolder } from './temporary-folder.js'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const event = { seq: 12, event: 'message.sent', message: '0198c0de-0000' } as const

type MessageOf = (request: { url: string; headers: Record<string, string> }, body: string) => string

/** The code that the README shows for receivers. */
async function shown(): Promise<MessageOf> {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
  const code = /### Is it from the relay\?[\s\S]*?```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  const library = import.meta.resolve('standardwebhooks')
  const file = join(await temporaryFolder(), 'receiver.mjs')
  await writeFile(file, code.replace('standardwebhooks', library))
  vi.stubEnv('SMSRELAY_HOOK_SECRET', secret)
  const { messageOf } = await import(/* @vite-ignore */ pathToFileURL(file).href)
  vi.unstubAllEnvs()
  return messageOf
}

function hit(post: boolean, timestamp = Math.floor(Date.now() / 1000)) {
  const how = { url: 'http://h/hook?a=1', method: 'POST', post }
  const stamp = { previous: 9, from: 'smsrelay', secrets: [secret], timestamp }
  const { target, headers, body } = createWebhookRequest(event, how, stamp)
  return { request: { url: target, headers: { ...headers } }, body }
}

test.each([true, false])('what the README shows takes a hit with post %s', async post => {
  const { request, body } = hit(post)
  expect((await shown())(request, body)).toBe(event.message)
})

test('what the README shows refuses old and changed hits', async () => {
  const messageOf = await shown()
  const old = hit(true, 1_000_000_000)
  expect(() => messageOf(old.request, old.body)).toThrow('too old')
  for (const post of [true, false]) {
    const { request, body } = hit(post)
    const changed = { ...request, url: request.url.replace('0198', '0199') }
    expect(() => messageOf(changed, body.replace('0198', '0199'))).toThrow('No matching signature')
  }
})

test('every link within the README leads somewhere', async () => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
  const places = [...readme.matchAll(/^##+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\d -]/gu, '')
      .replaceAll(' ', '-'),
  )
  const links = [...readme.matchAll(/\]\(#([^)]+)\)/g)].map(([, place]) => place)
  expect(links.length).toBeGreaterThan(20)
  expect(links.filter(link => !places.includes(link ?? ''))).toEqual([])
})
