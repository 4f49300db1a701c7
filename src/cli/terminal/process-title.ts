import { redactText } from '../../domain/redact-text.js'

/** Flags whose value is a secret, or can contain one that has no form of its own. */
const secretFlags = [
  ...['--secret-key', '--api-key', '--app-key', '--token', '--metrics-token', '--secret'],
  ...['--header', '-H', '--option'],
]

const databasePassword = /\bpostgres(?:ql)?:\/\/[^\s/?#@]*:[^\s/?#]+@/

export function containsPassword(word: string): boolean {
  return databasePassword.test(word)
}

/** The words of a command without secrets and phone numbers. */
export function maskArguments(argv: readonly string[]): string[] {
  return argv.map((word, at) => {
    if (secretFlags.includes(argv[at - 1] ?? '')) return '…'
    const flag = secretFlags.find(each =>
      each.startsWith('--') ? word.startsWith(`${each}=`) : word.startsWith(each),
    )
    if (flag !== undefined && word !== flag) return `${flag}=…`
    return redactText(word)
  })
}

/** Shows a command in the list of processes without its secrets. */
export function hideSecrets(argv: readonly string[]): void {
  const shown = maskArguments(argv)
  if (shown.some((word, at) => word !== argv[at])) process.title = ['smsrelay', ...shown].join(' ')
}
