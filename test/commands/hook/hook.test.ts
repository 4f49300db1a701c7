import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import HookCreate from '../../../commands/hook/create.js'
import HookDelete from '../../../commands/hook/delete.js'
import HookEdit from '../../../commands/hook/edit.js'
import HookEvents from '../../../commands/hook/events.js'
import HookGet from '../../../commands/hook/get.js'
import HookList from '../../../commands/hook/list.js'
import HookListen from '../../../commands/hook/listen.js'
import MessageSend from '../../../commands/message/send.js'
import { type Ran, run, type Service, sharedService, start, startService } from '../harness.js'

const events = [
  'message.create',
  'message.sent',
  'message.failed',
  'message.blocked',
  'message.received',
]
const fields = ['id', 'event', 'url', 'method', 'post', 'stat_triggered']
const keys = [...fields, 'on_exhausted', 'state', 'sequence']

describe('subscriptions', () => {
  const shared = sharedService()

  it('events prints the names', async () => {
    const { flags } = shared()
    const ran = await run(HookEvents, [...flags, '--json'], shared())
    expect(JSON.parse(ran.stdout)).toEqual(events)
    expect((await run(HookEvents, flags, shared())).stdout).toBe(`${events.join('\n')}\n`)
  })

  it('create, list, get, edit and delete print what they did', async () => {
    const { flags } = shared()
    const json = async (ran: Promise<Ran>) => JSON.parse((await ran).stdout)
    const common = [...flags, '--json']
    const argv = ['message.sent', 'http://127.0.0.1:9/x', '--method', 'PUT', '--post', ...common]
    const created = await json(run(HookCreate, argv, shared()))
    expect(Object.keys(created)).toEqual(keys)
    expect(created).toMatchObject({ event: 'message.sent', method: 'PUT', post: true })
    expect(await json(run(HookList, common, shared()))).toEqual([created])
    expect(await json(run(HookGet, [created.id, ...common], shared()))).toEqual(created)
    const edit = [created.id, '--no-post', '--to', 'http://127.0.0.1:9/y', ...common]
    const edited = await json(run(HookEdit, edit, shared()))
    expect(edited).toEqual({ ...created, post: false, url: 'http://127.0.0.1:9/y' })
    const removed = await json(run(HookDelete, [created.id, ...common], shared()))
    expect(removed).toEqual({ id: created.id })
    expect(await json(run(HookList, common, shared()))).toEqual([])
  })

  it.each([
    ['get', HookGet, []],
    ['edit', HookEdit, ['--post']],
    ['delete', HookDelete, []],
  ])('%s ends with 5 where there is no such subscription', async (_, command, extra) => {
    const argv = ['nope', ...extra, ...shared().flags, '--json']
    const ran = await run(command, argv, shared())
    expect(ran.code).toBe(5)
    expect(JSON.parse(ran.stdout).error.code).toBe('not_a_subscription')
  })

  it('edit with nothing to change is a usage error', async () => {
    const ran = await run(HookEdit, ['id', ...shared().flags, '--json'], shared())
    expect(ran.code).toBe(2)
    expect(JSON.parse(ran.stdout).error.code).toBe('usage')
  })
})

describe('hook listen', () => {
  it('prints ready, each hit and the end, and leaves no subscription', async () => {
    const service = await startService()
    const listening = listen(service, '--events', 'message.create', '--count', '1')
    await listening.untilPrinted('"ready"')
    const sent = await run(MessageSend, ['5551212', 'hi', ...service.flags, '--json'], service)
    const ran = await listening.ended
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    const [ready, hit, end] = lines(ran)
    expect(ready).toMatchObject({ type: 'ready', events: ['message.create'] })
    expect(hit).toMatchObject({
      ...{ type: 'hit', event: 'message.create', method: 'POST' },
      message: { id: JSON.parse(sent.stdout).id },
      headers: { 'x-hook-from': 'smsrelay' },
    })
    expect(end).toEqual({ type: 'end', reason: 'count', hits: 1 })
    expect(await subscriptions(service)).toBe('[]\n')
  })

  it('receives any method, with the data in the body', async () => {
    const service = await startService()
    const how = ['--method', 'SHOUT', '--post', '--events', 'message.create', '--count', '1']
    const listening = listen(service, ...how)
    await listening.untilPrinted('"ready"')
    const sent = await run(MessageSend, ['5551212', 'hi', ...service.flags, '--json'], service)
    const [, hit] = lines(await listening.ended)
    const { id } = JSON.parse(sent.stdout)
    expect(hit).toMatchObject({
      method: 'SHOUT',
      message: { id },
      body: `{"message":{"id":"${id}"}}`,
    })
  })

  it('listens to every event until it is stopped, and leaves no subscription', async () => {
    const service = await startService()
    const listening = listen(service)
    await listening.untilPrinted('"ready"')
    expect(JSON.parse(await subscriptions(service))).toHaveLength(events.length)
    listening.signals.emit('SIGTERM')
    const ran = await listening.ended
    expect(ran.code).toBe(0)
    expect(lines(ran).at(-1)).toEqual({ type: 'end', reason: 'stopped', hits: 0 })
    expect(await subscriptions(service)).toBe('[]\n')
  })

  it('ends with 130 when it is stopped short of its count', async () => {
    const listening = listen(await startService(), '--count', '2')
    await listening.untilPrinted('"ready"')
    listening.signals.emit('SIGINT')
    expect((await listening.ended).code).toBe(130)
  })

  it('ends with 124 when the time is over', async () => {
    const service = await startService()
    const ran = await listen(service, '--max-wait', '1ms').ended
    expect(ran.code).toBe(124)
    expect(lines(ran).at(-1)).toEqual({ type: 'end', reason: 'max-wait', hits: 0 })
    expect(await subscriptions(service)).toBe('[]\n')
  })

  it('leaves no subscription when one of the events is refused', async () => {
    const service = await startService()
    const ran = await listen(service, '--events', 'message.create,message.nope').ended
    expect(ran.code).toBe(1)
    expect(lines(ran)).toMatchObject([{ error: { code: 'invalid_parameter' } }])
    expect(await subscriptions(service)).toBe('[]\n')
  })

  it('answers requests that are no hits with 404 and prints nothing of them', async () => {
    const service = await startService()
    const listening = listen(service)
    await listening.untilPrinted('"ready"')
    const [hook] = JSON.parse(await subscriptions(service))
    const { statusCode, body } = await request(new URL('/elsewhere', hook.url))
    await body.dump()
    expect(statusCode).toBe(404)
    listening.signals.emit('SIGHUP')
    expect(lines(await listening.ended).map(line => line.type)).toEqual(['ready', 'end'])
  })

  it('tells people in plain lines', async () => {
    const service = await startService()
    const argv = ['--events', 'message.create', '--count', '1', ...service.flags]
    const listening = start(HookListen, argv, service)
    await listening.untilPrinted('Ready: message.create at http://127.0.0.1:')
    await run(MessageSend, ['5551212', 'hi', ...service.flags], service)
    const { stdout, stderr } = await listening.ended
    expect(stdout).toMatch(
      /\n\d\d:\d\d:\d\dZ {2}message\.create {4}POST {4}[0-9a-f-]{36} {2}\/\S+\n$/,
    )
    expect(stderr).toBe('Ended after 1 hit.\n')
  })
})

function listen(service: Service, ...argv: string[]) {
  return start(HookListen, [...argv, ...service.flags, '--json'], service)
}

function lines({ stdout }: Ran) {
  return stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
}

async function subscriptions(service: Service): Promise<string> {
  return (await run(HookList, [...service.flags, '--json'], service)).stdout
}
