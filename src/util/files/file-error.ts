import { errorText, RelayError } from '../../errors.js'

/** Why an operation on a file failed: the code of the system, such as `ENOSPC`, or the message. */
export function getFailureReason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  return code ?? errorText(error)
}

export function isMissingFile(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

/** The error `unavailable` for any file that cannot be written. */
export function cannotWriteError(path: string, cause: unknown): RelayError {
  const reason = getFailureReason(cause)
  return new RelayError('unavailable', `${path} cannot be written (${reason}).`, { cause })
}
