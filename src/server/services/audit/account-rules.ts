import type { Token } from '../../../domain/account/account.js'
import type { AuditActor, AuditTarget } from '../../../domain/audit/audit-entry.js'
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
import type { AuditRules } from './audit-rules.js'
import type { AuditDraft } from './audit-service.js'

const keyNames = { api: 'API key', app: 'Application key', login: 'User Login' } as const

/** Who acts with a token, for the audit log. */
export function toAuditActor(caller: Caller): AuditActor {
  if (caller.kind === 'login') return toPerson(caller)
  return { kind: 'key', name: keyNames[caller.kind] }
}

function toPerson(signer: Signer): AuditActor {
  return { kind: 'person', id: getSignerId(signer), name: getSignerEmail(signer) }
}

function toTarget(kind: string, { id, email }: { id: string; email: string }): AuditTarget {
  return { kind, id, name: email }
}

/** The names of the fields that a change sets. */
export function listChanged(changes: object): string {
  const set = Object.entries(changes).filter(([, value]) => value !== undefined)
  return set.map(([name]) => name).join(', ')
}

export const accountRules: AuditRules<AccountService> = {
  create: ({ result: { account } }) => ({
    ...{ account: account.id, action: 'account.create', target: toTarget('account', account) },
  }),
  createFirst: ({ result }) =>
    result && {
      account: result.account.id,
      action: 'account.create',
      target: toTarget('account', result.account),
    },
  change: ({ result }, _, changes) => ({
    account: result.id,
    action: 'account.change',
    target: toTarget('account', result),
    detail: listChanged(changes),
  }),
  rotateKeys: (_, email, which) => ({
    account: { name: email },
    action: 'key.replace',
    target: { kind: 'account', name: email },
    detail: which,
  }),
  setPassword: (_, email) => ({
    account: { name: email },
    action: 'account.set_password',
    target: { kind: 'account', name: email },
  }),
  resetSecondFactor: ({ result: email }) => ({
    account: { name: email },
    action: 'second_factor.reset',
    target: { kind: 'person', name: email },
  }),
  remove: ({ result }) => ({
    account: result.id,
    action: 'account.delete',
    target: toTarget('account', result),
  }),
  list: 'none',
  get: 'none',
  getById: 'none',
  findSigner: 'none',
  findOwner: 'none',
  isOwner: 'none',
}

export const accountLimitRules: AuditRules<AccountLimitService> = {
  change: ({ result }, _, changes) => ({
    account: result.id,
    action: 'account.set_limits',
    target: toTarget('account', result),
    detail: listChanged(changes),
  }),
  read: 'none',
}

export const personRules: AuditRules<PersonService> = {
  setRole: ({ result }, { id }) => ({
    account: id,
    action: 'person.change_role',
    target: toTarget('person', result),
    detail: result.role,
  }),
  remove: ({ result }, { id }) => ({
    account: id,
    action: 'person.remove',
    target: toTarget('person', result),
  }),
  changeEmail: ({ result }, signer) => ({
    account: signer.account.id,
    action: 'person.change_email',
    target: { kind: 'person', id: getSignerId(signer), name: getSignerEmail(signer) },
    detail: result,
  }),
  setPassword: (_, signer) => describeFactor('person.change_password', signer),
  resetSecondFactor: ({ result }, { id }) => ({
    account: id,
    action: 'second_factor.reset',
    target: toTarget('person', result),
  }),
  list: 'none',
  get: 'none',
  getByEmail: 'none',
}

export const invitationRules: AuditRules<InvitationService> = {
  create: ({ result: { invitation } }) => ({
    account: invitation.account,
    action: 'person.invite',
    target: { kind: 'invitation', name: invitation.email },
    detail: invitation.role,
  }),
  revoke: ({ result }) => ({
    account: result.account,
    action: 'invitation.revoke',
    target: { kind: 'invitation', name: result.email },
  }),
  accept: ({ result: person }) => ({
    account: person.account,
    action: 'person.join',
    actor: { kind: 'invitation', id: person.id, name: person.email },
    target: toTarget('person', person),
    detail: person.role,
  }),
  list: 'none',
  find: 'none',
}

/** A second factor has no identifiers that are not part of a secret or of a passkey. */
export const secondFactorRules: AuditRules<SecondFactorService> = {
  setUpTotp: (_, signer) => describeFactor('second_factor.add', signer, 'authenticator app'),
  addPasskey: (_, signer) => describeFactor('second_factor.add', signer, 'passkey'),
  replaceRecoveryCodes: (_, signer) => describeFactor('second_factor.replace_codes', signer),
  removeTotp: (_, signer) => describeFactor('second_factor.remove', signer, 'authenticator app'),
  removePasskey: (_, signer) => describeFactor('second_factor.remove', signer, 'passkey'),
  useCode: {
    refused: signer => ({
      ...describeFactor('person.sign_in', signer, 'too many wrong codes'),
      ...{ actor: toPerson(signer), refused: true, isRepeated: true },
    }),
  },
  usePasskey: 'none',
}

export const passkeyRules: AuditRules<PasskeyService> = {
  add: (_, signer) => describeFactor('second_factor.add', signer, 'passkey'),
  use: 'none',
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
  end: (_, caller) => describeFactor('person.end_session', caller),
  endOthers: ({ result }, caller) =>
    describeFactor('person.end_sessions', caller, `${result} sessions`),
  list: 'none',
}

export const tokenRules: AuditRules<TokenService> = {
  issue: ({ result: { account, kind } }, user) => ({
    account,
    action: kind === 'login' ? 'person.sign_in' : 'token.issue',
    actor:
      kind === 'login' ? { kind: 'person', name: user } : { kind: 'key', name: keyNames[kind] },
    detail: kind === 'login' ? 'User Login token' : keyNames[kind],
    ...(kind === 'login' ? {} : { isRepeated: true }),
  }),
  startSession: ({ origin }, signer) => {
    // A new session after a change of the own password is no sign-in.
    if (origin.actor.id === getSignerId(signer)) return undefined
    return { account: signer.account.id, action: 'person.sign_in', actor: toPerson(signer) }
  },
  revoke: ({ result: token, origin }) => token && describeRevocation(token, origin.actor),
  endLogins: (_, signer) => describeFactor('person.end_sessions', signer, 'all'),
  getSessionCaller: 'none',
  getCaller: 'none',
  getEndTime: 'none',
  checkPassword: 'none',
  confirmPassword: 'none',
  storeExtensions: 'none',
  removeExpired: 'none',
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
