import { DatabaseError } from 'pg'
import { errorText, getErrorCode, RelayError } from '../../../../errors.js'

/** What is wrong with the settings, by the SQLSTATE with which the server refuses a connection. */
const refusals: Readonly<Record<string, readonly [problem: string, hint: string]>> = {
  '28P01': ['refuses the password', 'Check the role and its password.'],
  '28000': ['refuses the role', 'Check the role, and pg_hba.conf of the server.'],
  '3D000': ['does not exist', 'Create it with `createdb`, or correct the name in the URL.'],
  '42501': ['refuses the role', 'Grant it CONNECT on the database.'],
}

/** Codes with which Node rejects a certificate: those of OpenSSL, and that of a wrong name. */
const certificateCode =
  /^(?:CERT|CRL|DEPTH_ZERO|ERR_(?:OSSL|SSL|TLS)|HOSTNAME|INVALID|SELF_SIGNED|UNABLE_TO)_/

/**
 * The error of a start: `usage` if an operator must change something, `unavailable` if the database
 * cannot be reached at present. Errors of the store itself stay as they are.
 */
export function toStartError(error: unknown, name: string): unknown {
  if (error instanceof RelayError) return error
  if (error instanceof DatabaseError) return toRefusal(error, name)
  if (!(error instanceof Error)) return error
  if (certificateCode.test(getErrorCode(error))) {
    return new RelayError('usage', `The certificate of the database ${name} is not valid.`, {
      hint: 'Name the certificate of its authority with sslrootcert, and the host as in it.',
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
