import { RelayError } from '../../errors.js'

/** Where somebody wanted to listen. */
export interface ListenAddress {
  readonly host: string
  readonly port: number
  /** What stands before `port` and `host` in the names of the flags for them. */
  readonly flags?: string
}

/** What a person is told of an address that cannot be had. */
export function listenError(
  error: NodeJS.ErrnoException,
  { host, port, flags = '' }: ListenAddress,
): RelayError {
  const where = `${host}:${port}`
  switch (error.code) {
    case 'EADDRINUSE':
      return new RelayError('configuration', `Another program is listening on ${where}.`, {
        hint: `Choose another port with --${flags}port, or 0 for a free one.`,
      })
    case 'EACCES':
      return new RelayError('configuration', `This user may not listen on ${where}.`, {
        hint: `Choose a port above 1023 with --${flags}port.`,
      })
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new RelayError('configuration', `${host} is not an address of this machine.`, {
        hint: `Choose another with --${flags}host, such as 127.0.0.1, or 0.0.0.0 for all.`,
      })
    default:
      return new RelayError('configuration', `Cannot listen on ${where}: ${error.message}.`)
  }
}
