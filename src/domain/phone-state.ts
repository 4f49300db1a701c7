import type { Owned } from './owned.js'

/** What the service knows of a phone, as kept; times in milliseconds since the epoch. */
export interface PhoneState extends Owned {
  readonly name: string
  readonly driver: string
  readonly firstNextAt: number
  readonly lastNextAt: number
  readonly lastSuccessAt?: number
  readonly lastFailureAt?: number
}
