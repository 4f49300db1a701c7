/** One line of an export. */
export interface ExportLine {
  readonly kind: string
  readonly key: string
  readonly record: Fields
}

type Fields = Readonly<Record<string, unknown>>

/** A change that makes an export wrong. */
export interface Mutation {
  readonly name: string
  readonly lines: readonly string[]
}

/** Fields that a record of the kind can lack; `kind.field` and `kind.field.field`. */
const optionalFields = new Set([
  ...['account.formerHookSecrets'],
  ...['message.retryAt', 'message.lease', 'message.lastHolder', 'message.parts'],
  ...['message.error', 'message.reportKey', 'message.phone', 'message.delivery'],
  ...['message.attempts', 'message.leases', 'message.leasedAt'],
  ...['tally.pending', 'tally.delivered', 'tally.undelivered', 'tally.expired'],
  ...['received.to', 'received.driver'],
  ...['subscription.ahead', 'subscription.window', 'subscription.schedule'],
  ...['subscription.replays', 'subscription.trying.hold'],
  ...['subscription.hookSecret', 'subscription.formerHookSecrets'],
  ...['subscription.unreported', 'account.alerts'],
  ...['subscription.trying', 'subscription.onExhausted', 'subscription.paused'],
  ...['capability.name', 'capability.destinations', 'capability.template', 'capability.rate'],
  ...['capability.confirm', 'capability.uses', 'mailbox.hourly', 'mailbox.hint'],
  ...['phone.firstNextAt', 'phone.lastNextAt', 'phone.lastSuccessAt'],
  ...['phone.holder', 'phone.activity', 'phone.network'],
  ...['received.number', 'received.phone', 'received.once', 'received.word', 'received.event'],
  ...['block.reason', 'block.by', 'block.note'],
  ...['person.secondFactor', 'person.secondFactor.totp', 'person.secondFactor.passkeys'],
  'token.login',
  ...['token.person', 'person.lastSignInAt', 'invitation.by'],
  ...['audit.target', 'audit.detail', 'audit.address', 'audit.device', 'audit.request'],
  ...['audit.refused', 'audit.actor.id', 'audit.actor.name'],
  ...['audit.target.id', 'audit.target.name'],
])

/** Fields that name an account. */
const accountFields = ['account', 'scope']

const values = [null, true, -1.5, 'x', [], {}, [[]], { x: 1 }]

/** Every way to make one line of an export wrong. */
export function* mutate(lines: readonly ExportLine[]): Generator<Mutation> {
  for (const [index, line] of lines.entries()) {
    const label = `line ${index + 1} (${line.kind})`
    const texts = lines.map(each => JSON.stringify(each))
    const change = (name: string, ...changed: string[]): Mutation => ({
      name: `${label}: ${name}`,
      lines: texts.toSpliced(index, 1, ...changed),
    })
    const text = texts[index] ?? ''
    yield change('twice', text, text)
    yield change('cut', text.slice(0, -1))
    yield change('unknown kind', JSON.stringify({ ...line, kind: 'nothing' }))
    yield change('other field', JSON.stringify({ ...line, other: 1 }))
    yield change('other key', JSON.stringify({ ...line, key: `x${line.key}` }))
    for (const name of ['kind', 'key', 'record'] as const) {
      const { [name]: _, ...rest } = line
      yield change(`without ${name}`, JSON.stringify(rest))
    }
    for (const [name, record] of mutateFields(line.kind, line.record)) {
      yield change(name, JSON.stringify({ ...line, record }))
    }
  }
}

function* mutateFields(path: string, fields: Fields): Generator<readonly [string, Fields]> {
  yield [`${path} with another field`, { ...fields, other: 1 }]
  for (const [field, value] of Object.entries(fields)) {
    const name = `${path}.${field}`
    const { [field]: _, ...rest } = fields
    if (!optionalFields.has(name)) yield [`without ${name}`, rest]
    for (const wrong of values.filter(each => isOtherType(each, value))) {
      if (name === 'account.ownerSince' && wrong === null) continue
      yield [`${name} = ${JSON.stringify(wrong)}`, { ...fields, [field]: wrong }]
    }
    if (typeof value === 'number') yield [`${name} is a text`, { ...fields, [field]: `${value}` }]
    if (accountFields.includes(field) && !name.startsWith('audit.')) {
      yield [`${name} of nobody`, { ...fields, [field]: 'nobody' }]
    }
    if (isFields(value)) {
      for (const [inner, changed] of mutateFields(name, value)) {
        yield [inner, { ...fields, [field]: changed }]
      }
    }
  }
}

function isOtherType(wrong: unknown, value: unknown): boolean {
  if (!Array.isArray(wrong) || !Array.isArray(value)) return typeOf(wrong) !== typeOf(value)
  const [[first], [other]] = [wrong, value]
  return first !== undefined && typeOf(first) !== typeOf(other)
}

function typeOf(value: unknown): string {
  if (value === null || Array.isArray(value)) return value === null ? 'null' : 'list'
  return typeof value
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
