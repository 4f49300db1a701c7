import { z } from 'zod'
import { deliveryModes } from '../domain/message/report.js'

/** An account with its keys in the clear: printed once when it is created (README: first run). */
export const newAccount = z.object({
  id: z.string(),
  email: z.string(),
  password: z.string(),
  secret_key: z.string(),
  api_key: z.string(),
  app_key: z.string(),
})

/** What administration shows of an account. */
export const accountFields = z.object({
  id: z.string(),
  email: z.string(),
  secret_key: z.string(),
  app_key: z.string(),
  country: z.string(),
  mode: z.enum(deliveryModes),
  created_on: z.string(),
  /** Whether its dashboard administers the others. */
  owner: z.boolean(),
})

/** An account with its keys in the clear. */
export type NewAccount = z.infer<typeof newAccount>
/** What administration shows of an account. */
export type AccountFields = z.infer<typeof accountFields>
