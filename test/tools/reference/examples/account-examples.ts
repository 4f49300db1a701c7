import type { ExampleRequest } from './example-request.js'

const ofAnn = { parameters: { email: 'ann@example.com' } }

/** The tokens that the other examples use. */
export const tokenExamples: readonly ExampleRequest[] = [
  {
    operation: 'issueToken',
    headers: { Authorization: 'Basic $API_CREDENTIALS' },
    hides: { API_TOKEN: 'access_token' },
  },
  {
    operation: 'issueToken',
    headers: { Authorization: 'Basic $PHONE_CREDENTIALS' },
    hides: { PHONE_TOKEN: 'access_token' },
    isStep: true,
  },
  {
    operation: 'issueToken',
    headers: { Authorization: 'Basic $LOGIN_CREDENTIALS' },
    hides: { LOGIN_TOKEN: 'access_token' },
    isStep: true,
  },
]

export const userExamples: readonly ExampleRequest[] = [
  { operation: 'getUser' },
  { operation: 'getUserApp' },
  { operation: 'getSettings' },
  { operation: 'editSettings', body: { stop_text: 'You get no more texts from us.' } },
  { operation: 'getStatus' },
]

export const doNotTextExamples: readonly ExampleRequest[] = [
  { operation: 'addDoNotText', body: { number: '+12025550199', note: 'Asked by phone' } },
  {
    operation: 'importDoNotText',
    body: {
      entries: [{ number: '+12025550187' }, { number: '12' }],
      skip_invalid: true,
    },
  },
  { operation: 'listDoNotText', query: { count: '1' } },
  { operation: 'getDoNotText', parameters: { number: '%2B12025550199' } },
  { operation: 'removeDoNotText', parameters: { number: '%2B12025550199' } },
]

export const secretUrlExamples: readonly ExampleRequest[] = [
  {
    operation: 'createSecretUrl',
    body: {
      name: 'Doorbell',
      destination: ['+12025550143'],
      message: 'Somebody is at the {door} door.',
      rate: '10/h',
    },
    hides: { SECRET_URL_ID: 'url.id', SECRET: 'url.url' },
  },
  {
    operation: 'useSecretUrl',
    parameters: { secret: '$SECRET' },
    query: { door: 'front' },
  },
  { operation: 'postSecretUrl', parameters: { secret: '$SECRET' }, body: { door: 'back' } },
  { operation: 'showSecretUrlMethods', parameters: { secret: '$SECRET' } },
  { operation: 'listSecretUrls' },
  { operation: 'revokeSecretUrl', parameters: { id: '$SECRET_URL_ID' } },
]

export const auditExamples: readonly ExampleRequest[] = [
  {
    operation: 'listAudit',
    query: { action: 'mailbox', count: '1' },
    hides: { REQUEST_ID: 'audit.0.entry.request' },
    saves: { entry: 'audit.0.entry.id' },
  },
  { operation: 'getAuditEntry', parameters: { id: '$entry' } },
]

export const mailboxExamples: readonly ExampleRequest[] = [
  {
    operation: 'createMailbox',
    body: {
      name: 'Alerts',
      alias: 'alerts',
      destinations: ['+12025550143'],
      senders: ['@example.com'],
      subject: 'first',
    },
    saves: { mailbox: 'mailbox.id' },
  },
  { operation: 'listMailboxes' },
  { operation: 'deleteMailbox', parameters: { id: '$mailbox' } },
]

export const peopleExamples: readonly ExampleRequest[] = [
  { operation: 'editAccountLimits', ...ofAnn, body: { messages_per_day: 1000 } },
  { operation: 'getAccountLimits', ...ofAnn },
  { operation: 'getLimits' },
  { operation: 'listPeople' },
  {
    operation: 'editPerson',
    parameters: { id: '$person' },
    body: { role: 'sender' },
  },
  { operation: 'resetSecondFactor', parameters: { id: '$person' } },
  {
    operation: 'createInvitation',
    body: { email: 'cem@example.com', role: 'reader' },
    hides: { INVITATION_ID: 'invitation.id', INVITATION_LINK: 'invitation.url' },
  },
  { operation: 'listInvitations' },
  { operation: 'revokeInvitation', parameters: { id: '$INVITATION_ID' } },
  { operation: 'removePerson', parameters: { id: '$person' } },
]

/** The last examples, after all messages; they end the tokens. */
export const finalExamples: readonly ExampleRequest[] = [
  { operation: 'getStatistics', query: { utc_offset: '60' }, maxItems: 1 },
  {
    operation: 'getStatisticsReport',
    query: { by: 'day', from: '2030-01-01', to: '2030-01-31', time_zone: 'Europe/Berlin' },
    maxItems: 1,
  },
  { operation: 'getHealth' },
  { operation: 'getReadiness' },
  { operation: 'revokeToken', query: { token: '$LOGIN_TOKEN' } },
  { operation: 'revokePostedToken', body: { token: '$API_TOKEN' } },
]
