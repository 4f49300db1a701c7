import { expect, it } from 'vitest'
import { RelayError } from '../../../src/errors.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { unreachable } from '../phone-rig.js'
import { ScriptedClient } from '../scripted-client.js'
import { select, startReceiving, toFields } from './receiving-phone.js'

it('a relay that was down gets the texts later, each once and in order', async () => {
  const client = new ScriptedClient([])
  const answers = [unreachable, unreachable, undefined, unreachable]
  client.takes = async report => {
    const error = answers.shift()
    if (error !== undefined) throw error
    return toFields(report)
  }
  const { driver, events } = await startReceiving(await temporaryFolder(), client)
  for (const each of ['a', 'b']) await driver.receive(each)
  await expect.poll(() => select(events, 'forwarded')).toHaveLength(2)
  expect(client.of('received').map(each => each.message)).toEqual(['a', 'a', 'a', 'b', 'b'])
  expect(new Set(client.of('received').map(each => each.key)).size).toBe(2)
  expect(select(events, 'offline')).toHaveLength(2)
  expect(select(events, 'online')).toHaveLength(2)
})

it('a text is kept when a proxy answers', async () => {
  const client = new ScriptedClient([])
  const answers = ['not_found', 'not_a_message', 'method_not_allowed', 'invalid_reply'] as const
  client.takes = async report => {
    const code = answers[client.of('received').length - 1]
    if (code !== undefined) throw new RelayError(code, 'Nothing here.')
    return toFields(report)
  }
  const { driver, events } = await startReceiving(await temporaryFolder(), client)
  await driver.receive('a')
  await expect.poll(() => select(events, 'forwarded')).toHaveLength(1)
  expect(select(events, 'unforwarded')).toEqual([])
})

it('a rejected text does not delay the next one', async () => {
  const client = new ScriptedClient([])
  client.takes = async report => {
    if (report.message === 'bad') throw new RelayError('invalid_parameter', '`message` is bad.')
    return toFields(report)
  }
  const { driver, events } = await startReceiving(await temporaryFolder(), client)
  for (const each of ['bad', 'good']) await driver.receive(each)
  await expect.poll(() => select(events, 'forwarded')).toHaveLength(1)
  expect(select(events, 'unforwarded')).toMatchObject([{ error: '`message` is bad.' }])
})
