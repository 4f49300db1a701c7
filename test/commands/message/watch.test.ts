import { expect, it } from 'vitest'
import MessageWatch from '../../../commands/message/watch.js'
import { createClient, parseLines, run, start, startRelay } from '../harness.js'

it('message watch prints each change of a message until Ctrl-C', async () => {
  const fixture = await startRelay()
  const client = createClient(fixture)
  const watching = start(MessageWatch, [...fixture.flags, '--json'], fixture)
  const plain = start(MessageWatch, fixture.flags, fixture)
  const create = async () =>
    await client.messages.create({ destination: '5551212', message: 'hello' })
  // Events from before the start of a stream are not shown.
  const areOpen = async () => {
    await create()
    return [watching, plain].every(each => each.getOutput() !== '')
  }
  await expect.poll(areOpen).toBe(true)
  const { id } = await create()
  await client.messages.reportSuccess(id, { parts: 1 })
  await Promise.all([watching.waitForOutput('message.sent'), plain.waitForOutput(' sent ')])
  for (const each of [watching, plain]) each.signals.emit('SIGINT')
  const [json, text] = await Promise.all([watching.ended, plain.ended])
  expect([json.code, text.code]).toEqual([0, 0])
  const last = parseLines(json.stdout).at(-1)
  expect(last).toMatchObject({ event: 'message.sent', message: { id, status: 'S' } })
  expect(text.stdout).toMatch(/^\d\d:\d\d:\d\dZ sent \S+ \S*5551212 hello$/m)
})

it('message watch says that the relay cannot be reached', async () => {
  const argv = ['--url', 'http://127.0.0.1:9', '--secret-key', 's', '--api-key', 'a', '--json']
  const result = await run(MessageWatch, argv, { env: {} })
  expect(JSON.parse(result.stdout).error.code).toBe('unreachable')
})
