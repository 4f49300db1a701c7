import { mkdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EventName } from '../../../src/domain/webhook/event.js'
import type { RelayClient } from '../../../src/index.js'
import { lockDirectory } from '../../../src/util/files/directory-lock.js'
import { openListening, parseEvents } from './listen-rig.js'

const key = 'abcdefghi-_9'

/** Creates a subscription as a killed `hook listen` leaves it behind. */
async function leaveBehind(
  client: RelayClient,
  event: EventName,
  more: { readonly listener?: string } = {},
): Promise<string> {
  const url = `http://127.0.0.1:9/${key}/${event}`
  const listener = hostname()
  return (await client.subscriptions.create({ event, url, listener, ...more })).id
}

async function listIds(client: RelayClient): Promise<string[]> {
  return (await client.subscriptions.list()).map(({ id }) => id)
}

describe('hook listen after one that was killed', () => {
  it('takes over its subscriptions with their events, and removes them at the end', async () => {
    const { client, send, listen, given } = await openListening()
    await mkdir(join(given.env.SMSRELAY_STATE_DIR, `listen-${key}`))
    const left = await leaveBehind(client, 'message.create')
    const extra = await leaveBehind(client, 'message.failed')
    const first = await send()
    const listening = listen('--events', 'message.create,message.sent', '--count', '2', '--post')
    await listening.waitForOutput('"ready"')
    const ids = await listIds(client)
    expect(ids).toContain(left)
    expect(ids).not.toContain(extra)
    expect(ids).toHaveLength(2)
    await listening.waitForOutput(first)
    const second = await send()
    const ran = await listening.ended
    const [ready, ...webhooks] = parseEvents(ran)
    expect(ready).toMatchObject({ taken_over: ['message.create'] })
    expect(webhooks.slice(0, 2)).toMatchObject([
      { type: 'hit', message: { id: first }, headers: { 'webhook-id': `evt_1_${first}` } },
      { type: 'hit', message: { id: second }, headers: { 'webhook-id': `evt_2_${second}` } },
    ])
    expect(await listIds(client)).toEqual([])
  })

  it('leaves those of another machine, and permanent ones', async () => {
    const { client, listen } = await openListening()
    const others = [
      await leaveBehind(client, 'message.create', { listener: 'another-machine' }),
      (await client.subscriptions.create({ event: 'message.create', url: 'http://127.0.0.1:9/' }))
        .id,
    ]
    const listening = listen('--events', 'message.create')
    await listening.waitForOutput('"ready"')
    expect(await listIds(client)).toEqual([...others, expect.any(String)])
    listening.signals.emit('SIGTERM')
    expect(parseEvents(await listening.ended)[0]).not.toHaveProperty('taken_over')
    expect(await listIds(client)).toEqual(others)
  })

  it('leaves those of a listener that runs', async () => {
    const { client, listen, given } = await openListening()
    const directory = join(given.env.SMSRELAY_STATE_DIR, `listen-${key}`)
    await mkdir(directory)
    const lock = await lockDirectory(directory)
    const left = await leaveBehind(client, 'message.create')
    const listening = listen('--events', 'message.create')
    await listening.waitForOutput('"ready"')
    listening.signals.emit('SIGTERM')
    await listening.ended
    await lock.release()
    expect(await listIds(client)).toEqual([left])
  })
})
