import type { Account } from '../../../domain/account/account.js'
import type { Message } from '../../../domain/message/message.js'
import type { ClaimService } from './claim-service.js'
import type { PhoneService } from './phone-service.js'

/** A running lease as users of the service see it; times in milliseconds since the epoch. */
export interface LeaseView {
  /** The name of the phone; undefined if the service does not know it any more. */
  readonly phone: string | undefined
  /** When the phone claimed the message, or renewed its lease last. */
  readonly beganAt: number
  readonly endsAt: number
}

/** Finds which phone has a message at `now`; undefined: none has. */
export async function findLease(
  { phones, claims }: { readonly phones: PhoneService; readonly claims: ClaimService },
  account: Account,
  { lease }: Pick<Message, 'lease'>,
  now: number,
): Promise<LeaseView | undefined> {
  if (lease === undefined || lease.until <= now) return undefined
  const phone = await phones.findName(account, lease.holder)
  return { phone, beganAt: lease.until - claims.lease, endsAt: lease.until }
}
