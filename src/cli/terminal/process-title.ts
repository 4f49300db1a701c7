/** A database URL with a password. */
const databasePassword = /\bpostgres(?:ql)?:\/\/[^\s/?#@]*:[^\s/?#]+@/

/** Whether a word of a command line contains a password, which the process list shows. */
export function containsPassword(word: string): boolean {
  return databasePassword.test(word)
}

/** Replaces a command line with a password in the process list, also in /proc. */
export function hidePassword(argv: readonly string[]): void {
  if (argv.some(containsPassword)) process.title = 'smsrelay'
}
