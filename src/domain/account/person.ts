import type { AccountRecord } from './account-record.js'
import type { SecondFactor } from './second-factor.js'

/** What a person can do in an account, from the least: each role includes those before it. */
export const roles = ['reader', 'sender', 'admin'] as const

export type Role = (typeof roles)[number]

/** A person who signs in to an account with an e-mail address other than that of the account. */
export interface Person extends AccountRecord {
  readonly email: string
  readonly passwordHash: string
  readonly secondFactor?: SecondFactor
  readonly role: Role
  readonly createdAt: number
  readonly lastSignInAt?: number
}

/** An invitation to become a person of an account. Its link works once. */
export interface Invitation extends AccountRecord {
  /** SHA-256 of the secret in the invitation's link, base64url. */
  readonly id: string
  readonly email: string
  readonly role: Role
  /** The e-mail address of the person who invites; absent: the operator of the relay. */
  readonly by?: string
  readonly createdAt: number
  readonly expiresAt: number
}

export function includesRole(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}

export const invitationLifetime = 7 * 24 * 60 * 60_000
