import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { apiErrors } from '../../../../src/contract/api/api-errors.js'
import type { Operation } from '../../../../src/contract/api/define-operation.js'
import { operations, publicOperations } from '../../../../src/contract/api/operations.js'
import { serverOperations } from '../../../../src/contract/api/server-operations.js'
import type { Relay } from '../../../../src/server/open-relay.js'
import { createClock } from '../../../../src/util/async/clock.js'
import type { Example } from '../../../../tools/reference/document.js'
import { type Body, type Reply, request } from '../../../conformance/calls.js'
import { openReceiver } from '../../../conformance/receiver.js'
import { createRelay } from '../../../quick-relay.js'
import { allExamples } from './all-examples.js'
import type { ExampleRequest } from './example-request.js'
import { ExampleValues } from './example-values.js'

const personId = '01942c5e-2900-7000-8000-00000000b0b0'

export const exampleOperations: Readonly<Record<string, Operation>> = {
  ...publicOperations,
  ...operations,
  ...serverOperations,
}

/** A request and its reply as they are printed, and the reply as it came. */
export interface ExchangedExample {
  readonly example: Example
  readonly isStep: boolean
  readonly realBody: unknown
}

interface Connection {
  readonly url: string
  readonly values: ExampleValues
}

/** Sends all examples to a fresh relay. Between them pass ten seconds of the relay's clock. */
export async function exchangeExamples(): Promise<ExchangedExample[]> {
  const time = { now: Date.UTC(2027, 0, 4, 9) }
  const values = new ExampleValues()
  const url = await startRelay(time, values)
  const exchanged: ExchangedExample[] = []
  for (const example of allExamples) {
    // A webhook that is awaited may already be in flight.
    if (example.until === undefined) time.now += 10_000
    exchanged.push(await exchange({ url, values }, example))
  }
  return exchanged
}

/** Starts a relay whose time and ids are the same in each run. A webhook takes 40 ms. */
async function startRelay(time: { now: number }, values: ExampleValues): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'smsrelay-examples-'))
  onTestFinished(async () => await rm(dataDir, { recursive: true, force: true }))
  const receiver = await openReceiver(() => {
    time.now += 40
    return { status: 204 }
  })
  const ids = { next: createIds() }
  const relay = await createRelay(
    {
      dataDir,
      host: '127.0.0.1',
      port: 0,
      baseUrl: 'https://relay.example.com',
      hookAllow: ['127.0.0.0/8'],
      trustProxy: true,
      limits: { connectionsPerAddress: 1 },
    },
    {
      clock: { ...createClock(), now: () => time.now, monotonic: () => time.now },
      newId: () => ids.next(),
    },
  )
  onTestFinished(async () => await relay.stop())
  await relay.start()
  const account = await relay.administration.createAccount({ email: 'ann@example.com' })
  const { email, password, secret_key: secret, api_key: api, app_key: app } = account
  const nextId = ids.next
  ids.next = () => personId
  await addPerson(relay)
  ids.next = nextId
  values.set('person', personId)
  values.set('receiver', receiver.url, 'https://example.com')
  values.set('receiverHost', new URL(receiver.url).host, 'example.com')
  values.set('client', '127.0.0.1', '192.0.2.7')
  values.set('API_CREDENTIALS', toBase64(secret, api), '<base64 of SECRET_KEY:API_KEY>')
  values.set('PHONE_CREDENTIALS', toBase64(secret, app))
  values.set('LOGIN_CREDENTIALS', toBase64(email, password))
  values.set('SECRET_KEY', secret, 'SECRET_KEY')
  values.set('APPLICATION_KEY', app, 'APPLICATION_KEY')
  return relay.url
}

/** Bob accepts an invitation into the account. */
async function addPerson({ administration, url }: Relay): Promise<void> {
  const invitation = { account: 'ann@example.com', email: 'bob@example.com', role: 'reader' }
  const { url: link } = await administration.invitePerson({ ...invitation, url })
  const body = 'new_password=a+long+password&repeated=a+long+password'
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const reply = await request(link, 'POST', { headers, body })
  expect(reply.status, reply.text).toBe(303)
}

function createIds(): () => string {
  let count = 0
  return () => {
    count += 1
    return `01942c5e-2900-7000-8000-${String(count).padStart(12, '0')}`
  }
}

function toBase64(name: string, password: string): string {
  return Buffer.from(`${name}:${password}`).toString('base64')
}

async function exchange(
  { url, values }: Connection,
  request: ExampleRequest,
): Promise<ExchangedExample> {
  const { operation, saves = {}, hides = {}, isStep = false } = request
  const { method } = getOperation(operation)
  const filled = fillRequest(request, values, 'real')
  const reply = request.isStream
    ? await openStream(`${url}${filled.target}`, method, filled.headers)
    : await send(url, method, { ...filled, until: request.until })
  const realBody: unknown = reply.text === '' ? undefined : JSON.parse(reply.text)
  const { error } = request
  const status = error === undefined ? 200 : apiErrors[error].status
  expect(reply.status === 204 ? 200 : reply.status, `${operation}: ${reply.text}`).toBe(status)
  if (error !== undefined) expect(realBody).toMatchObject({ error })
  if (request.tag !== undefined) saveTag(values, request.tag, reply)
  for (const [name, path] of Object.entries(saves)) values.set(name, findValue(realBody, path))
  for (const [name, path] of Object.entries(hides)) {
    values.set(name, String(findValue(realBody, path)).split('/u/').at(-1), name)
  }
  const printed = values.print(reply.text).replaceAll(/v1,[\w+/]{43}=/g, 'v1,SIGNATURE')
  const body = printed === '' ? {} : { body: shorten(JSON.parse(printed), request.maxItems) }
  const example = {
    operation,
    request: fillRequest(request, values, 'printed'),
    reply: { status: reply.status, ...pickHeaders(reply, values), ...body },
  }
  return { example, isStep, realBody }
}

/** The tag of a subscription depends on the port of the receiver. */
function saveTag(values: ExampleValues, name: string, { headers }: Reply): void {
  const tag = headers.get('etag')
  values.set(name, tag, name === name.toUpperCase() ? `"${name}"` : tag)
}

const shownHeaders = ['Allow', 'ETag', 'Preference-Applied', 'Retry-After', 'WWW-Authenticate']

/** Picks the header fields of a reply that the reference describes. */
function pickHeaders({ headers }: Reply, values: ExampleValues): Pick<Example['reply'], 'headers'> {
  const found = shownHeaders.flatMap(name => {
    const value = headers.get(name)
    return value === null ? [] : [[name, values.print(value)]]
  })
  return found.length === 0 ? {} : { headers: Object.fromEntries(found) }
}

/** Fills values in a request, real ones or those that are printed. */
function fillRequest(
  request: ExampleRequest,
  values: ExampleValues,
  kind: 'real' | 'printed',
): Example['request'] {
  const { body, client } = request
  const shown = values.fillJson(createHeaders(request), kind) as Record<string, string>
  const isNamed = kind === 'real' && client !== undefined
  const headers = isNamed ? { ...shown, 'X-Forwarded-For': client } : shown
  return {
    target: values.fill(formatTarget(request), kind),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(body === undefined ? {} : { body: values.fillJson(body, kind) }),
  }
}

/** Resolves when the stream is open, and leaves it open. */
async function openStream(url: string, method: string, headers = {}): Promise<Reply> {
  const reply = await fetch(url, { method, headers })
  return { status: reply.status, headers: reply.headers, text: '', body: {} as Body }
}

/** Sends a request, again until the reply has the path. */
async function send(
  url: string,
  method: string,
  { target, headers = {}, body, until }: Example['request'] & { until: string | undefined },
): Promise<Reply> {
  const init = body === undefined ? { headers } : { headers, body: JSON.stringify(body) }
  const sendOnce = async () => await request(`${url}${target}`, method, init)
  let reply = await sendOnce()
  if (until === undefined) return reply
  await expect
    .poll(async () => {
      if (findValue(reply.body, until) === undefined) reply = await sendOnce()
      return findValue(reply.body, until)
    })
    .toBeDefined()
  return reply
}

function getOperation(id: string): Operation {
  const operation = exampleOperations[id]
  if (operation === undefined) throw new Error(`There is no operation ${id}.`)
  return operation
}

function formatTarget({ operation, parameters = {}, query = {} }: ExampleRequest): string {
  const path = getOperation(operation).path.replace(/:(\w+)/g, (_, name) => parameters[name] ?? '')
  const pairs = Object.entries(query).map(([name, value]) => {
    return `${name}=${value.startsWith('$') ? value : encodeURIComponent(value)}`
  })
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

function createHeaders({ operation, headers, body, isFromPhone }: ExampleRequest): object {
  const { scope } = getOperation(operation)
  const token = scope === 'app' || isFromPhone ? '$PHONE_TOKEN' : '$API_TOKEN'
  const bearer = scope === 'login' ? '$LOGIN_TOKEN' : token
  return {
    ...(scope === 'none' ? {} : { Authorization: `Bearer ${bearer}` }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...headers,
  }
}

/** Finds a value in JSON by a path such as `results.0.id`. */
function findValue(value: unknown, path: string): unknown {
  return path.split('.').reduce((found: unknown, name) => {
    return (found as Readonly<Record<string, unknown>> | undefined)?.[name]
  }, value)
}

/** Leaves out items of lists in JSON. */
function shorten(value: unknown, maxItems = Number.POSITIVE_INFINITY): unknown {
  if (Array.isArray(value)) return value.slice(0, maxItems).map(each => shorten(each, maxItems))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, shorten(each, maxItems)]),
  )
}
