const databasePassword = /\bpostgres(?:ql)?:\/\/[^\s/?#@]*:[^\s/?#]+@/

export function containsPassword(word: string): boolean {
  return databasePassword.test(word)
}

export function hidePassword(argv: readonly string[]): void {
  if (argv.some(containsPassword)) process.title = 'smsrelay'
}
