import { z } from 'zod'
import type { Passkey, SecondFactor, TotpKey } from '../../../../domain/account/second-factor.js'
import { count, name as id, object, optional, text, time } from './record-fields.js'

const totp = object<TotpKey>({
  secret: text(/^[a-z2-7]+$/, 'a key in lower-case base32'),
  lastStep: count,
  createdAt: time,
})

const passkey = object<Passkey>({
  id,
  publicKey: id,
  counter: count,
  transports: optional(z.array(id)),
  name: id,
  host: id,
  createdAt: time,
  usedAt: optional(time),
})

export const secondFactor = object<SecondFactor>({
  totp: optional(totp),
  passkeys: optional(z.array(passkey)),
  recoveryCodes: z.array(id),
})
