import type { Account } from '../../../domain/account/account.js'
import { getEndedLease } from '../../../domain/message/claim.js'
import { getLeaseStart, type Message } from '../../../domain/message/message.js'
import type { ClaimService } from './claim-service.js'
import type { PhoneService } from './phone-service.js'

export interface LeaseView {
  /** The name of the phone; undefined if the service does not know it any more. */
  readonly phone: string | undefined
  readonly beganAt: number
  readonly endsAt: number
}

interface LeaseServices {
  readonly phones: PhoneService
  readonly claims: ClaimService
}

export async function findLease(
  services: LeaseServices,
  account: Account,
  message: Message,
  now: number,
): Promise<LeaseView | undefined> {
  if (getEndedLease(message, now) !== undefined) return undefined
  return await findLastLease(services, account, message)
}

/** Finds the lease of a message like {@link findLease}, also one that ended without a report. */
export async function findLastLease(
  { phones, claims }: LeaseServices,
  account: Account,
  message: Message,
): Promise<LeaseView | undefined> {
  const { lease } = message
  if (lease === undefined) return undefined
  const { holder, until: endsAt } = lease
  const beganAt = getLeaseStart(message, claims.lease) ?? endsAt
  return { phone: await phones.findName(account, holder), beganAt, endsAt }
}
