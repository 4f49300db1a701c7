import type { Token } from '../../../domain/account/account.js'
import type { AuditActor } from '../../../domain/audit/audit-entry.js'
import { pluralize } from '../../../util/text/plural.js'
import type { AccountService } from '../accounts/account-service.js'
import type { SecondFactorService } from '../accounts/second-factor-service.js'
import type { SignInThrottle } from '../accounts/sign-in-throttle.js'
import { getSignerEmail, getSignerId, type Signer } from '../accounts/signer.js'
import type { Caller, TokenService } from '../accounts/token-service.js'
import type { AccountLimitService } from '../limits/account-limit-service.js'
import type { InvitationService } from '../people/invitation-service.js'
import type { PersonService } from '../people/person-service.js'
import type { PasskeyService } from '../sign-in/passkey-service.js'
import type { SessionService } from '../sign-in/session-service.js'
import {
  type AuditDraft,
  type AuditRules,
  type CallChanges,
  listChanged,
  recordRule,
  toTarget,
} from './audit-rules.js'

const keyNames = { api: 'API key', app: 'Application key', login: 'User Login' } as const

export function toAuditActor(caller: Caller): AuditActor {
  if (caller.kind === 'login') return toPerson(caller)
  return { kind: 'key', name: keyNames[caller.kind] }
}

function toPerson(signer: Signer): AuditActor {
  return { kind: 'person', id: getSignerId(signer), name: getSignerEmail(signer) }
}

export const accountRules: AuditRules<AccountService> = {
  create: recordRule('account.create', 'account'),
  createFirst: recordRule('account.create', 'account'),
  change: recordRule('account.change', 'account', (_, __: string, changes: object) =>
    listChanged(changes),
  ),
  getKeys: {
    after: (_, { id: account }) => ({ account, action: 'key.show', isRepeated: true }),
  },
  rotateKeys: recordRule('key.replace', 'account', (_, __: string, which: string) => which),
  setPassword: recordRule('account.set_password', 'account'),
  resetSecondFactor: ({ changes }, email) => describeReset(changes, { name: email }),
  remove: recordRule('account.delete', 'account'),
}

export const accountLimitRules: AuditRules<AccountLimitService> = {
  change: recordRule('account.set_limits', 'account', (_, __: object, changes: object) =>
    listChanged(changes),
  ),
}

export const personRules: AuditRules<PersonService> = {
  setRole: recordRule('person.change_role', 'person', ({ after }) => after?.role ?? ''),
  remove: recordRule('person.remove', 'person'),
  changeEmail: ({ changes }, signer) => {
    const email = (changes.findRecord('person') ?? changes.findRecord('account'))?.email
    return email === undefined ? undefined : describeFactor('person.change_email', signer, email)
  },
  setPassword: describeFactorChange('person.change_password'),
  resetSecondFactor: ({ changes }, _, id) => describeReset(changes, { id }),
}

export const invitationRules: AuditRules<InvitationService> = {
  create: ({ changes }) => {
    // Earlier invitations of the address are removed first.
    const made = changes.list('invitation').find(({ after }) => after !== undefined)?.after
    if (made === undefined) return undefined
    const { account, role } = made
    const target = toTarget('invitation', made)
    return { account, action: 'person.invite', target, detail: role }
  },
  revoke: recordRule('invitation.revoke', 'invitation'),
  accept: ({ changes }) => {
    const person = changes.findRecord('person')
    if (person === undefined) return undefined
    const { account, id, email, role } = person
    const actor = { kind: 'invitation', id, name: email } as const
    return {
      account,
      action: 'person.join',
      actor,
      target: toTarget('person', person),
      detail: role,
    }
  },
}

/** A reset also ends all logins, and does that without a second factor, too. */
function describeReset(
  changes: CallChanges,
  given: { readonly id?: string; readonly name?: string },
): AuditDraft | undefined {
  const holder = changes.findRecord('person') ?? changes.findRecord('account')
  const account =
    changes.findRecord('person')?.account ?? holder?.id ?? changes.findRecord('token')?.account
  if (account === undefined) return undefined
  const target = { kind: 'person', ...given, ...(holder && { id: holder.id, name: holder.email }) }
  return { account, action: 'second_factor.reset', target }
}

/** A second factor has no identifiers that are not part of a secret or of a passkey. */
export const secondFactorRules: AuditRules<SecondFactorService> = {
  setUpTotp: describeFactorChange('second_factor.add', () => 'authenticator app'),
  addPasskey: describeFactorChange('second_factor.add', (_, __, { name }) => toPasskey(name)),
  replaceRecoveryCodes: describeFactorChange('second_factor.replace_codes'),
  removeTotp: describeFactorChange('second_factor.remove', () => 'authenticator app'),
  removePasskey: describeFactorChange('second_factor.remove', (changes, _, id) => {
    const holder = changes.find('person')?.before ?? changes.find('account')?.before
    return toPasskey(holder?.secondFactor?.passkeys?.find(each => each.id === id)?.name)
  }),
  useCode: {
    refused: signer => ({
      ...describeFactor('person.sign_in', signer, 'too many wrong codes'),
      ...{ actor: toPerson(signer), refused: true, isRepeated: true },
    }),
  },
}

export const passkeyRules: AuditRules<PasskeyService> = {
  add: describeFactorChange('second_factor.add', (_, __, ___, ____, { name }) => toPasskey(name)),
}

function toPasskey(name: string | undefined): string {
  return name === undefined ? 'passkey' : `passkey ${name}`
}

function describeFactorChange<P extends unknown[]>(
  action: AuditDraft['action'],
  getDetail?: (changes: CallChanges, signer: Signer, ...parameters: P) => string,
) {
  return (
    { changes }: { changes: CallChanges },
    signer: Signer,
    ...parameters: P
  ): AuditDraft | undefined => {
    const record = changes.find('person') ?? changes.find('account')
    if (record === undefined) return undefined
    return describeFactor(action, signer, getDetail?.(changes, signer, ...parameters))
  }
}

function describeFactor(action: AuditDraft['action'], signer: Signer, detail = ''): AuditDraft {
  const { id, name } = toPerson(signer)
  return {
    account: signer.account.id,
    action,
    target: { kind: 'person', ...(id && { id }), ...(name && { name }) },
    detail,
  }
}

export const sessionRules: AuditRules<SessionService> = {
  end: ({ changes }, caller) => {
    const token = changes.find('token')?.before
    return token && describeFactor('person.end_session', caller, token.login?.device)
  },
  endOthers: ({ changes }, caller) => {
    const { length } = changes.list('token')
    if (length === 0) return undefined
    return describeFactor('person.end_sessions', caller, pluralize(length, 'session'))
  },
}

export const tokenRules: AuditRules<TokenService> = {
  issue: ({ changes }, user) => {
    const token = changes.find('token')?.after
    if (token === undefined) return undefined
    const { account, kind, person: id = account } = token
    const name = keyNames[kind]
    if (kind !== 'login')
      return {
        account,
        action: 'token.issue',
        actor: { kind: 'key', name },
        detail: name,
        isRepeated: true,
      }
    const actor = { kind: 'person', id, name: user } as const
    return { account, action: 'person.sign_in', actor, detail: 'User Login token' }
  },
  startSession: ({ changes, origin }, signer) => {
    // A new session after a change of the own password is no sign-in.
    if (changes.find('token') === undefined || origin.actor.id === getSignerId(signer))
      return undefined
    return { account: signer.account.id, action: 'person.sign_in', actor: toPerson(signer) }
  },
  revoke: ({ changes, origin }) => {
    const token = changes.find('token')?.before
    return token && describeRevocation(token, origin.actor)
  },
  endLogins: ({ changes }, signer) =>
    changes.find('token') && describeFactor('person.end_sessions', signer, 'all'),
}

export const signInThrottleRules: AuditRules<SignInThrottle> = {
  attempt: {
    refused: ({ name, kind }) => ({
      account: { name },
      action: kind === 'key' ? 'token.issue' : 'person.sign_in',
      actor: kind === 'key' ? { kind: 'key' } : { kind: 'person', name },
      detail: 'too many wrong credentials',
      ...{ refused: true, isRepeated: true },
    }),
  },
}

function describeRevocation(token: Token, actor: AuditActor): AuditDraft {
  const { account, kind, person = account, login } = token
  if (kind !== 'login')
    return { account, action: 'token.revoke', actor: { kind: 'key', name: keyNames[kind] } }
  return {
    account,
    action: login?.isSession === true ? 'person.sign_out' : 'token.revoke',
    actor: actor.id === undefined ? { kind: 'person', id: person } : actor,
  }
}
