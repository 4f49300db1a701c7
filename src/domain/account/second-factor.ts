/**
 * Domain type of the second factor of somebody who signs in with e-mail address and password. With
 * one, the password alone opens no session and no User Login token.
 */
export interface SecondFactor {
  readonly totp?: TotpKey
  /** Passkeys of the second factor, oldest first; absent: none. */
  readonly passkeys?: readonly Passkey[]
  /** SHA-256 of the recovery codes that are left, base64url. */
  readonly recoveryCodes: readonly string[]
}

/** Domain type of the key that a second factor shares with an authenticator app (RFC 6238). */
export interface TotpKey {
  /** The authenticator app's key in lower-case base32 (RFC 4648). */
  readonly secret: string
  /**
   * Time step of the last code that was used. Codes of it and of earlier steps are not accepted.
   */
  readonly lastStep: number
  readonly createdAt: number
}

/** Domain type of a passkey of a second factor (Web Authentication Level 2). */
export interface Passkey {
  /** Identifier of the passkey's credential, base64url. */
  readonly id: string
  /** Public key of the passkey in COSE (RFC 9052), base64url. */
  readonly publicKey: string
  /** The passkey's counter of signatures; 0 if it does not count. */
  readonly counter: number
  /** How a browser can reach the passkey, such as `usb`. */
  readonly transports?: readonly string[]
  readonly name: string
  /** Host name at which the passkey works: the identifier of its relying party. */
  readonly host: string
  readonly createdAt: number
  readonly usedAt?: number
}

export const maxPasskeys = 20

export const maxPasskeyName = 60

/** Marks the code of a time step as used; undefined if it, or a later one, was used before. */
export function useTotpStep(factor: SecondFactor, step: number): SecondFactor | undefined {
  const { totp } = factor
  if (totp === undefined || step <= totp.lastStep) return undefined
  return { ...factor, totp: { ...totp, lastStep: step } }
}

/** Removes a recovery code, by its hash; undefined if it is not one that is left. */
export function useRecoveryCode(factor: SecondFactor, hash: string): SecondFactor | undefined {
  const left = factor.recoveryCodes.filter(each => each !== hash)
  if (left.length === factor.recoveryCodes.length) return undefined
  return { ...factor, recoveryCodes: left }
}

export function putPasskey(factor: SecondFactor, passkey: Passkey): SecondFactor {
  const { passkeys = [] } = factor
  const isKnown = passkeys.some(({ id }) => id === passkey.id)
  const changed = passkeys.map(each => (each.id === passkey.id ? passkey : each))
  return { ...factor, passkeys: isKnown ? changed : [...passkeys, passkey] }
}

export function removePasskey(factor: SecondFactor, id: string): SecondFactor | undefined {
  const { passkeys = [], ...others } = factor
  const left = passkeys.filter(each => each.id !== id)
  return toUsable(left.length === 0 ? others : { ...others, passkeys: left })
}

export function removeTotp({ totp: _, ...others }: SecondFactor): SecondFactor | undefined {
  return toUsable(others)
}

/** Recovery codes alone are no second factor. */
function toUsable(factor: SecondFactor): SecondFactor | undefined {
  return factor.totp === undefined && factor.passkeys === undefined ? undefined : factor
}

/** A code as somebody typed it, without spaces and hyphens, in lower case. */
export function normalizeCode(code: string): string {
  return code.replace(/[\s-]/g, '').toLowerCase()
}

/** Whether a normalized code can be one of an authenticator app; recovery codes are longer. */
export function isTotpCode(code: string): boolean {
  return /^\d{6}$/.test(code)
}
