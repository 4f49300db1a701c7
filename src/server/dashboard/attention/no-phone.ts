import type { Account } from '../../../domain/account/account.js'
import { describeAbsence } from '../../../domain/phone/phone-status.js'
import type { PhoneService } from '../../services/phones/phone-service.js'

/** For the notice about accepted messages, with a space first; empty if a phone is alive. */
export async function explainAbsence(phones: PhoneService, account: Account): Promise<string> {
  const absence = describeAbsence(await phones.list(account))
  return absence === undefined ? '' : ` ${absence.problem}. ${absence.step}`
}
