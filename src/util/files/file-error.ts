import { errorText, RelayError } from '../../errors.js'

export function getFailureReason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  return code ?? errorText(error)
}

export function isMissingFile(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

export function cannotWriteError(path: string, cause: unknown): RelayError {
  const reason = getFailureReason(cause)
  return new RelayError('unavailable', `${path} cannot be written (${reason}).`, { cause })
}
