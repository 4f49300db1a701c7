import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeHome, serve } from './program.js'

test.each([
  ['before', 0],
  ['after', 1],
])(
  'a simulated phone that crashes %s a text goes out reports it as unknown when it is back',
  async (step, times) => {
    const home = await makeHome()
    const relay = await serve(home)
    const sent = await home.run(['message', 'send', '+12025550123', 'Hello', '--json'])
    const { id } = JSON.parse(sent.stdout)
    const path = join(home.dir, 'sent.ndjson')
    const simulate = ['phone', '--driver', 'simulate', '--option', `outbox=${path}`]

    const crashed = home.start([...simulate, '--option', `crash=${step}`])
    expect((await crashed.ended).code).not.toBe(0)
    const outbox = await readFile(path, 'utf8').catch(() => '')
    expect(outbox.split('\n').filter(line => line.includes(id))).toHaveLength(times)

    const again = home.start([...simulate, '--json'])
    expect(await again.line(line => line.event === 'resumed')).toMatchObject({
      id,
      outcome: 'unknown',
    })
    await again.line(line => line.event === 'idle')
    expect(await again.end('SIGINT')).toBe(0)
    const got = await home.run(['message', 'get', id, '--json'])
    expect(JSON.parse(got.stdout)).toMatchObject({ status: 'E', failure_count: 1 })
    await relay.end('SIGTERM')
  },
)
