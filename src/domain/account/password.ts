import { RelayError } from '../../errors.js'

const minLength = 8
const maxLength = 1024

let commonPasswords: ReadonlySet<string> | undefined

export type PasswordProblem = 'length' | 'common'

/**
 * Checks a new password of an account: 8 to 1024 characters, and not one of the 10,000 that leak
 * most often, in any letter case. Passwords that are already set keep working. Throws
 * `invalid_parameter`.
 */
export async function checkPassword(password: string): Promise<string> {
  const problem = await findPasswordProblem(password)
  if (problem === undefined) return password
  throw passwordError(problem)
}

export async function findPasswordProblem(password: string): Promise<PasswordProblem | undefined> {
  const { length } = [...password]
  if (length < minLength || length > maxLength) return 'length'
  return (await isCommon(password)) ? 'common' : undefined
}

export function passwordError(problem: PasswordProblem): RelayError {
  if (problem === 'length')
    return new RelayError(
      'invalid_parameter',
      `\`password\` must have ${minLength} to ${maxLength} characters.`,
    )
  return new RelayError(
    'invalid_parameter',
    '`password` is one of the 10,000 most common leaked passwords.',
    { hint: 'Choose another one, such as four random words.' },
  )
}

async function isCommon(password: string): Promise<boolean> {
  commonPasswords ??= await loadCommonPasswords()
  return commonPasswords.has(password.normalize('NFKC').toLowerCase())
}

/**
 * Loads the list late: few processes ever set a password. It is from SecLists
 * (10-million-password-list-top-10000), without the entries that are too short anyway.
 */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const list = await import('./common-passwords.json', { with: { type: 'json' } })
  return new Set(list.default)
}
