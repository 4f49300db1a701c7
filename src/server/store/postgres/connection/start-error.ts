import { DatabaseError } from 'pg'
import { errorText, getErrorCode, RelayError } from '../../../../errors.js'
import { TlsNotOffered } from './open-client.js'

/** What is wrong with the settings, by the SQLSTATE with which the server refuses a connection. */
const refusals: Readonly<Record<string, readonly [problem: string, hint: string]>> = {
  '28P01': ['refuses the password', 'Check the role and its password.'],
  '28000': ['refuses the role', 'Check the role, sslmode, and pg_hba.conf of the server.'],
  '3D000': ['does not exist', 'Create it with `createdb`, or correct the name in the URL.'],
  '42501': ['refuses the role', 'Grant it CONNECT on the database.'],
}

/** Codes with which Node rejects a certificate: those of OpenSSL, and that of a wrong name. */
const certificateCode =
  /^(?:CERT|CRL|DEPTH_ZERO|ERR_(?:OSSL|SSL|TLS)|HOSTNAME|INVALID|SELF_SIGNED|UNABLE_TO)_/

/** What to do about a certificate, by the code with which Node rejects it. */
const certificateHints: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'Renew the certificate of the server.',
  CERT_NOT_YET_VALID: 'Check the clock of this machine, and the certificate of the server.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Name the host in the URL as in the certificate of the server.',
}

/**
 * The error of a start: `usage` if an operator must change something, `unavailable` if the database
 * cannot be reached at present. Errors of the store itself stay as they are.
 */
export function toStartError(error: unknown, name: string): unknown {
  if (error instanceof RelayError) return error
  if (error instanceof DatabaseError) return toRefusal(error, name)
  if (!(error instanceof Error)) return error
  if (error instanceof TlsNotOffered) {
    return new RelayError('usage', `The database ${name} offers no encryption.`, {
      hint:
        'Set `ssl = on` and a certificate in postgresql.conf, or add `?sslmode=disable` to the ' +
        'URL if nobody else can read this network.',
      cause: error,
    })
  }
  const code = getErrorCode(error)
  if (certificateCode.test(code)) {
    return new RelayError('usage', `The certificate of the database ${name} is not valid.`, {
      hint: certificateHints[code] ?? 'Name the certificate of its authority with sslrootcert.',
      details: [errorText(error)],
      cause: error,
    })
  }
  return unreachableError(error, name)
}

function toRefusal(error: DatabaseError, name: string): unknown {
  const code = error.code ?? ''
  const refusal = refusals[code]
  if (refusal !== undefined) {
    const [problem, hint] = refusal
    const details = [error.message]
    return new RelayError('usage', `The database ${name} ${problem}.`, {
      hint,
      details,
      cause: error,
    })
  }
  // It starts or stops, it has no connection left, or only a standby is there.
  return /^(?:08|25|53|57)/.test(code) ? unreachableError(error, name) : error
}

function unreachableError(cause: Error, name: string): RelayError {
  return new RelayError('unavailable', `The database ${name} cannot be reached.`, {
    hint: 'Check the address, and that the server runs and accepts connections.',
    details: [errorText(cause)],
    cause,
  })
}
