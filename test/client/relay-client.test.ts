import { expect, test } from 'vitest'
import { RelayClient } from '../../src/client/relay-client.js'
import type { RelayRequest } from '../../src/client/request-sender.js'
import { operations } from '../../src/contract/api/operations.js'
import type { AllOperationIds } from '../../src/contract/api/resource-operations.js'

/** Creates a client whose requests are recorded and fail. */
function createRecorder() {
  const requests: RelayRequest[] = []
  const client = new RelayClient({
    url: 'http://relay/',
    credentials: { token: 't' },
    request: async request => {
      requests.push(request)
      throw new Error('recorded')
    },
  })
  return { client, requests }
}

type Call = (client: RelayClient) => Promise<unknown>

const draft = { destination: '+12025550123', message: 'Hello' }
/** Those of resources are sent in `describeResource`. */
const calls: Record<Exclude<keyof typeof operations, AllOperationIds>, Call | undefined> = {
  createMessage: ({ messages }) => messages.create(draft),
  nextMessage: ({ messages }) => messages.next({ wait: 5 }),
  listMessages: ({ messages }) => messages.list({ count: 1 }),
  reportMessages: ({ messages }) => messages.report([{ id: 'a', parts: 1 }]),
  createMessages: ({ messages }) => messages.createBatch([draft]),
  // The alternative to NEXT for clients that cannot send that method.
  getNextMessage: undefined,
  getQueue: ({ status }) => status.getQueue(),
  listReceivedTexts: ({ receivedTexts }) => receivedTexts.list({ count: 1, before: 'a' }),
  reportReceivedText: ({ receivedTexts }) => receivedTexts.report({ from: 'a', message: '' }),
  getReceivedText: ({ receivedTexts }) => receivedTexts.get('a'),
  reportSuccess: ({ messages }) => messages.reportSuccess('a', { parts: 1 }),
  reportFailure: ({ messages }) => messages.reportFailure('a', { error_message: 'busy' }),
  reportDelivery: ({ messages }) => messages.reportDelivery([{ id: 'a', state: 'delivered' }]),
  getMessage: ({ messages }) => messages.get('a', { extended: true }),
  editMessage: ({ messages }) => messages.edit('a', draft),
  deleteMessage: ({ messages }) => messages.delete('a'),
  releaseMessage: ({ messages }) => messages.release('a'),
  lockMessage: ({ messages }) => messages.lock('a'),
  unlockMessage: ({ messages }) => messages.unlock('a'),
  undeleteMessage: ({ messages }) => messages.undelete('a'),
  retryMessage: ({ messages }) => messages.retry('a'),
  listEventNames: ({ subscriptions }) => subscriptions.listEventNames(),
  getSigningSecret: ({ subscriptions }) => subscriptions.getSigningSecret(),
  rotateSigningSecret: ({ subscriptions }) => subscriptions.rotateSigningSecret(),
  listSubscriptions: ({ subscriptions }) => subscriptions.list(),
  createSubscription: ({ subscriptions }) =>
    subscriptions.create({ event: 'message.sent', url: 'http://h' }),
  getSubscription: ({ subscriptions }) => subscriptions.get('a'),
  editSubscription: ({ subscriptions }) => subscriptions.edit('a', { event: 'message.sent' }),
  deleteSubscription: ({ subscriptions }) => subscriptions.delete('a'),
  pauseSubscription: ({ subscriptions }) => subscriptions.pause('a'),
  resumeSubscription: ({ subscriptions }) => subscriptions.resume('a'),
  skipEvent: ({ subscriptions }) => subscriptions.skip('a', { sequence: 1 }),
  replayEvents: ({ subscriptions }) => subscriptions.replay('a', 1),
  listDeliveries: ({ subscriptions }) => subscriptions.listDeliveries('a', { failed: true }),
  testSubscription: ({ subscriptions }) => subscriptions.test('a'),
  getSubscriptionSecret: ({ subscriptions }) => subscriptions.getSecret('a'),
  rotateSubscriptionSecret: ({ subscriptions }) => subscriptions.rotateSecret('a'),
  removeSubscriptionSecret: ({ subscriptions }) => subscriptions.removeSecret('a'),
  resendEvent: ({ subscriptions }) => subscriptions.resend('a', 1),
  listEvents: ({ events }) => events.list({ after: 1, events: ['message.sent'] }),
  getUser: client => client.getUser(),
  getUserApp: client => client.getUserApp(),
  getSettings: client => client.getSettings(),
  editSettings: client => client.editSettings({ help_text: 'Help' }),
  listPhones: ({ status }) => status.listPhones(),
  forgetPhone: ({ status }) => status.forgetPhone('a'),
  getStatus: ({ status }) => status.getStatus(),
  getStatistics: ({ status }) => status.getStatistics(60),
  getStatisticsReport: ({ status }) => {
    return status.getStatisticsReport({ from: '2030-01-01', to: '2030-01-31' })
  },
  listDoNotText: ({ doNotText }) => doNotText.list(),
  getDoNotText: ({ doNotText }) => doNotText.get('+12025550123'),
  addDoNotText: ({ doNotText }) => doNotText.add('+12025550123', { note: 'asked' }),
  importDoNotText: ({ doNotText }) => doNotText.import([{ number: '+12025550123' }]),
  removeDoNotText: ({ doNotText }) => doNotText.remove('a'),
  listSecretUrls: ({ secretUrls }) => secretUrls.list(),
  createSecretUrl: ({ secretUrls }) => secretUrls.create({ name: 'door' }),
  revokeSecretUrl: ({ secretUrls }) => secretUrls.delete('a'),
  listContacts: ({ contacts }) => contacts.list({ group: 'Team' }),
  addContact: ({ contacts }) => contacts.create({ number: '+12025550123', name: 'Ann' }),
  importContacts: ({ contacts }) => contacts.import([{ number: '+12025550123' }]),
  getContact: ({ contacts }) => contacts.get('+12025550123'),
  editContact: ({ contacts }) => contacts.edit('+12025550123', { name: 'Ann' }),
  deleteContact: ({ contacts }) => contacts.delete('+12025550123'),
  getLimits: ({ accounts }) => accounts.getLimits(),
  getAccountLimits: ({ accounts }) => accounts.getLimits('ann@example.com'),
  editAccountLimits: ({ accounts }) =>
    accounts.editLimits('ann@example.com', { messages_per_day: 5 }),
  listPeople: ({ people }) => people.list(),
  editPerson: ({ people }) => people.edit('a', { role: 'sender' }),
  removePerson: ({ people }) => people.delete('a'),
  resetSecondFactor: ({ accounts }) => accounts.resetSecondFactor('a'),
  listInvitations: ({ invitations }) => invitations.list(),
  createInvitation: ({ invitations }) =>
    invitations.create({ email: 'bob@example.com', role: 'reader' }),
  revokeInvitation: ({ invitations }) => invitations.delete('a'),
  listAudit: ({ audit }) => audit.list({ count: 2, action: 'group' }),
  getAuditEntry: ({ audit }) => audit.get('a'),
}

test.each(Object.entries(calls))(
  'the client sends %s as its operation defines',
  async (id, call) => {
    if (call === undefined) return
    const { client, requests } = createRecorder()
    await expect(call(client)).rejects.toMatchObject({ code: 'unreachable' })
    const { method, path, query, request } = operations[id as keyof typeof operations]
    const url = new URL(requests[0]?.url ?? '')
    expect(requests).toHaveLength(1)
    expect([requests[0]?.method, url.pathname.split('/')]).toEqual([
      method,
      path.split('/').map(each => (each.startsWith(':') ? expect.stringMatching(/./) : each)),
    ])
    expect(requests[0]?.headers.authorization).toBe('Bearer t')
    if (query === undefined || method === 'GET') {
      expect(url.search !== '').toBe(query !== undefined)
    }
    expect(requests[0]?.body !== undefined).toBe(request !== undefined)
  },
)

test('the base address may end with a slash and have a path', () => {
  const create = (url: string) => new RelayClient({ url, credentials: { token: 't' } }).url
  expect([create('http://relay//'), create('http://h/relay/')]).toEqual([
    'http://relay',
    'http://h/relay',
  ])
})

test.each(['', 'x'.repeat(65), 'bü', 'a\nb'])('the phone name %j is a usage error', name => {
  const options = { url: 'http://relay', credentials: { token: 't' }, phone: { name } }
  expect(() => new RelayClient(options)).toThrow(expect.objectContaining({ code: 'usage' }))
})

test('a list is read to its last page, with the query of each next link', async () => {
  const queries: string[] = []
  const createEntry = (number: string) => ({
    entry: { number, added_on: '2026-01-01 00:00:00', scope: 'account' },
  })
  const pages = [
    { entries: [createEntry('+1')], links: { next: { method: 'GET', url: 'http://x/l?after=1' } } },
    { entries: [], links: { next: { method: 'GET', url: 'http://x/l?after=2' } } },
    { entries: [createEntry('+2')] },
  ]
  const client = new RelayClient({
    url: 'http://relay',
    credentials: { token: 't' },
    fetch: async request => {
      queries.push(new URL(new Request(request).url).search)
      return Response.json(pages[queries.length - 1])
    },
  })
  expect(await client.doNotText.list()).toMatchObject([{ number: '+1' }, { number: '+2' }])
  expect(queries).toEqual(['?count=500', '?after=1', '?after=2'])
})

test('a list whose next link leads to the same page is an invalid reply', async () => {
  const links = { next: { method: 'GET', url: 'http://relay/api/1/do-not-text?count=500' } }
  const client = new RelayClient({
    url: 'http://relay',
    credentials: { token: 't' },
    fetch: async () => Response.json({ entries: [], links }),
  })
  await expect(client.doNotText.list()).rejects.toMatchObject({ code: 'invalid_reply' })
})
