import { expect, test } from 'vitest'
import { makeHome, serve } from './program.js'

test('a message survives a kill of the relay right after the reply', async () => {
  const home = await makeHome()
  let relay = await serve(home)
  for (let round = 0; round < 3; round += 1) {
    const sent = await home.run(['message', 'send', '+12025550123', `round ${round}`, '--json'])
    await relay.end('SIGKILL')
    relay = await serve(home)
    const got = await home.run(['message', 'get', JSON.parse(sent.stdout).id, '--json'])
    expect(got.code).toBe(0)
    expect(JSON.parse(got.stdout)).toMatchObject({ message: `round ${round}`, status: 'N' })
  }
  expect(await relay.end('SIGTERM')).toBe(0)
})

test('all messages with a reply survive a kill under load', async () => {
  const home = await makeHome()
  const relay = await serve(home)
  const token = JSON.parse((await home.run(['token', 'issue', '--json'])).stdout).access_token
  const accepted: string[] = []
  const create = async (text: string): Promise<void> => {
    const response = await fetch(`${relay.url}/api/1/message`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: { destination: '+12025550123', message: text } }),
    })
    accepted.push(((await response.json()) as { message: { id: string } }).message.id)
    if (accepted.length === 150) relay.child.kill('SIGKILL')
  }
  const worker = async (name: number): Promise<void> => {
    for (let i = 0; ; i += 1) await create(`${name} ${i}`)
  }
  await Promise.allSettled(Array.from({ length: 16 }, (_, name) => worker(name)))
  await relay.ended
  expect(accepted.length).toBeGreaterThanOrEqual(150)

  await serve(home)
  const stored = new Set<string>()
  for (let start = 0; ; start += 100) {
    const flags = ['--start', String(start), '--count', '100', '--order', 'asc', '--json']
    const page = JSON.parse((await home.run(['message', 'list', ...flags])).stdout)
    for (const message of page) stored.add(message.id)
    if (page.length < 100) break
  }
  expect(accepted.filter(id => !stored.has(id))).toEqual([])
})
