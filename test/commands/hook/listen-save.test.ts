import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import HookListen from '../../../commands/hook/listen.js'
import { selfSigned } from '../../certificate.js'
import { openReceiver } from '../../conformance/receiver.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { start } from '../harness.js'
import { openListening, parseEvents, respondWith } from './listen-rig.js'

const name = /^\d{8}T\d{9}Z-evt_\d+_[\da-f-]+\.http$/

async function readFiles(directory: string) {
  const names = (await readdir(directory)).sort()
  return await Promise.all(
    names.map(async each => {
      const path = join(directory, each)
      return {
        name: each,
        path,
        mode: (await stat(path)).mode & 0o777,
        text: await readFile(path, 'utf8'),
      }
    }),
  )
}

it('--save writes each received webhook to a file of its own', async () => {
  const { send, listen } = await openListening()
  const directory = join(await temporaryFolder(), 'new', 'webhooks')
  const listening = listen('--events', 'message.create', '--count', '2', '--save', directory)
  await listening.waitForOutput('"ready"')
  const ids = [await send(), await send()]
  await listening.ended
  const files = await readFiles(directory)
  expect(files).toMatchObject(ids.map(id => ({ name: expect.stringContaining(id), mode: 0o600 })))
  for (const file of files) {
    expect(file.name).toMatch(name)
    expect(file.text).toMatch(/^POST \/\S+ HTTP\/1\.1\r\n/)
    expect(file.text).toMatch(/\r\nwebhook-signature: v1,\S+\r\n/i)
  }
})

it('--save writes each event of the stream once, however often it is sent', async () => {
  const { send, listen } = await openListening()
  const directory = await temporaryFolder()
  const receiver = await openReceiver(respondWith(500, 204))
  const argv = ['--stream', '--forward-to', receiver.url, '--events', 'message.create', '--post']
  const listening = listen(...argv, '--count', '1', '--save', directory)
  await listening.waitForOutput('"ready"')
  const id = await send()
  await listening.ended
  const [file, ...others] = await readFiles(directory)
  expect(others).toEqual([])
  expect(file?.text).toMatch(new RegExp(`\r\n\r\n{"message":{"id":"${id}"}}$`))
})

it.each([[[]], [['--stream', '--forward-to', '1']]])(
  'with %j a directory that cannot be created is an error',
  async argv => {
    const { listen } = await openListening()
    const ran = await listen(...argv, '--save', '/dev/null/webhooks').ended
    expect(ran.code).toBe(1)
    expect(parseEvents(ran)).toMatchObject([{ error: { code: 'configuration' } }])
  },
)

it('shows the secret that signs at the start', async () => {
  const { fixture, given, client } = await openListening()
  const secret = await client.subscriptions.getSigningSecret()
  const receiver = await openReceiver()
  for (const more of [[], ['--stream', '--forward-to', receiver.url]]) {
    const listening = start(HookListen, [...more, ...fixture.flags], given)
    await listening.waitForOutput(`Signing secret: ${secret}\n`)
    listening.signals.emit('SIGTERM')
    await listening.ended
  }
})

it.each([
  [[], 'self-signed certificate'],
  [['--skip-verify'], null],
])('with %j an app with a self-signed certificate gives the error %j', async (more, error) => {
  const { send, listen } = await openListening()
  const app = createServer(selfSigned, (_, response) => void response.writeHead(204).end())
  app.listen(0, '127.0.0.1')
  await once(app, 'listening')
  onTestFinished(() => void app.close())
  const { port } = app.address() as { port: number }
  const target = ['--stream', '--forward-to', `https://127.0.0.1:${port}/`, '--retry', '0']
  const listening = listen(...target, ...more, '--events', 'message.create', '--count', '1')
  await listening.waitForOutput('"ready"')
  await send()
  const attempt = parseEvents(await listening.ended).find(({ type }) => type === 'attempt')
  const expected = error === null ? null : expect.stringContaining(error)
  expect(attempt).toMatchObject({ status: error === null ? 204 : null, error: expected })
})
