import { expect, test } from 'vitest'
import { createMessage, subscribe } from '../../acts.js'
import { type Caller, expectError, type Fields, json } from '../../calls.js'
import { getMessageId } from '../../receiver.js'
import { type Delivery, type SubscriptionBody, useSubscriptions } from '../extension-rigs.js'

const {
  at,
  event,
  expectOk,
  getExtended,
  put,
  getDeliveries,
  listDeliveries,
  listenTo,
  untilState,
  untilDelivered,
} = useSubscriptions()
const url = 'http://127.0.0.1:9/hook'
const missing = '01890000-0000-7000-8000-000000000000'

test('extension: every delivery is logged with its request and reply', async () => {
  const hook = await listenTo([{ status: 418 }])
  const { id } = await createMessage(at.api)
  await hook.next()
  await hook.next()
  const [second, first] = (await untilDelivered(hook.id, 2)) as [Delivery, Delivery]
  expect(first).toEqual({
    id: expect.stringMatching(/./),
    ...{ sequence: second.sequence, event, message: { id }, attempt: 1 },
    at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    ms: expect.any(Number),
    ...{ status: 418, error: expect.stringContaining('418'), ok: false, dead: false },
    ...{ resend: false, reply: '' },
    request: expect.stringContaining(`webhook-sequence: ${second.sequence}\n`),
  })
  const [line, ...rest] = (first as unknown as { request: string }).request.split('\n')
  expect(line).toMatch(/^POST http:/)
  expect(rest.join('\n')).toMatch(/^webhook-signature: v1,.{44}$/m)
  expect(rest.at(-1)).toBe(JSON.stringify({ message: { id } }))
  expect(second).toMatchObject({ attempt: 2, status: 204, error: null, ok: true })
  const [{ links }] = (await expectOk(getDeliveries(hook.id))).deliveries as [
    SubscriptionBody['deliveries'][0],
  ]
  expect(links.resend).toEqual({
    method: 'POST',
    url: `${at.baseUrl}/api/1/subscription/${hook.id}/delivery/${second.sequence}/resend`,
  })
})

test('extension: deliveries are listed in pages and filtered by failed', async () => {
  const hook = await listenTo([{ status: 410 }])
  await createMessage(at.api)
  await createMessage(at.api)
  await untilState(hook.id, 'paused')
  await expectOk(put(hook.id, 'resume'))
  const all = await untilDelivered(hook.id, 3)
  expect(all.map(({ ok }) => ok)).toEqual([true, true, false])
  expect(await listDeliveries(hook.id, { failed: true })).toEqual(all.slice(2))
  expect(await listDeliveries(hook.id, { failed: false, count: 2 })).toEqual(all.slice(0, 2))
  expect(await listDeliveries(hook.id, { before: all[1]?.id })).toEqual(all.slice(2))
  const written = `/subscription/${hook.id}/delivery?filter[failed]=0&filter[count]=1`
  const { links } = JSON.parse((await at.api.get(written)).text)
  const next = await at.api.get(links.next.url.slice(`${at.baseUrl}/api/1`.length))
  const [second] = JSON.parse(next.text).deliveries
  expect(second.delivery).toEqual(all[1])
})

test.each([{ count: 0 }, { count: 101 }, { count: '5' }, { failed: 'yes' }, { before: 7 }, 7])(
  'extension: the filter %j of deliveries is invalid_parameter',
  async filter => {
    const { id } = await subscribe(at.api, { event, url })
    expectError(await getDeliveries(id, filter), 400, 'invalid_parameter')
  },
)

test('extension: resend sends one more webhook and does not change the state', async () => {
  const hook = await listenTo([{ status: 204 }, { status: 500 }])
  const { id } = await createMessage(at.api)
  await hook.next()
  const [{ sequence }] = (await untilDelivered(hook.id, 1)) as [Delivery]
  const before = await getExtended(hook.id)
  const path = `/subscription/${hook.id}/delivery/${sequence}/resend`
  const first = (await expectOk(at.api.post(path, {}))).delivery
  expect(first).toMatchObject({ sequence, message: { id }, resend: true, ok: false, status: 500 })
  const second = (await expectOk(at.api.post(path, {}))).delivery
  expect(second).toMatchObject({ sequence, ok: true, status: 204 })
  expect([getMessageId(await hook.next()), getMessageId(await hook.next())]).toEqual([id, id])
  expect(await getExtended(hook.id)).toEqual(before)
  expect((await listDeliveries(hook.id)).slice(0, 2)).toEqual([second, first])
})

test.each(['0', 'x', '999999999999999', '1.5'])(
  'extension: resend of the event %s is not_found',
  async sequence => {
    const { id } = await subscribe(at.api, { event, url })
    const reply = await at.api.post(`/subscription/${id}/delivery/${sequence}/resend`, {})
    expectError(reply, 404, 'not_found')
  },
)

test('extension: resend of an event that is still waiting is invalid_state', async () => {
  const hook = await listenTo([])
  await expectOk(put(hook.id, 'pause'))
  const { sequence } = await getExtended(hook.id)
  await createMessage(at.api)
  const path = `/subscription/${hook.id}/delivery/${sequence + 1}/resend`
  expectError(await at.api.post(path, {}), 409, 'invalid_state')
})

type RequestCase = readonly [method: string, path: string, body: Fields | undefined]

const requests: RequestCase[] = [
  ['PUT', '/pause', {}],
  ['PUT', '/resume', {}],
  ['PUT', '/skip', {}],
  ['PUT', '/replay', { from: 1 }],
  ['GET', '/delivery', undefined],
  ['POST', '/delivery/1/resend', {}],
]

function send(caller: Caller, id: string, [method, path, body]: RequestCase) {
  return caller.call(method, `/subscription/${id}${path}`, body === undefined ? {} : json(body))
}

test.each(requests)(
  'extension: %s at %s is not_a_subscription for other accounts and unknown ids',
  async (...request) => {
    const { id } = await subscribe(at.api, { event, url })
    const before = await getExtended(id)
    expectError(await send(at.stranger, id, request), 404, 'not_a_subscription')
    expectError(await send(at.api, missing, request), 404, 'not_a_subscription')
    expect(await getExtended(id)).toEqual(before)
  },
)

test.each(requests)(
  'extension: %s at %s with an application-key token is insufficient_scope',
  async (...request) => {
    const { id } = await subscribe(at.api, { event, url })
    expectError(await send(at.phone, id, request), 403, 'insufficient_scope')
    expect(await getExtended(id)).toMatchObject({ state: 'active' })
  },
)

test('extension: a deleted subscription has no deliveries', async () => {
  const hook = await listenTo([])
  await createMessage(at.api)
  await hook.next()
  await untilDelivered(hook.id, 1)
  await at.api.delete(`/subscription/${hook.id}`)
  expectError(await getDeliveries(hook.id), 404, 'not_a_subscription')
})
