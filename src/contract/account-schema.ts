import * as z from 'zod/mini'
import { deliveryModes } from '../domain/account/account.js'

/** Reply with a new account: its keys and password in plain text, shown once. */
export const newAccount = z.object({
  id: z.string(),
  email: z.string(),
  password: z.string(),
  secret_key: z.string(),
  api_key: z.string(),
  app_key: z.string(),
})

const accountFields = z.object({
  id: z.string(),
  email: z.string(),
  secret_key: z.string(),
  app_key: z.string(),
  country: z.string(),
  mode: z.enum(deliveryModes),
  created_on: z.string(),
  /** Whether the account manages the other accounts. */
  owner: z.boolean(),
})

export type NewAccount = z.infer<typeof newAccount>
export type AccountFields = z.infer<typeof accountFields>
