import { getFormFields, type SecretUrlTerms } from '../../domain/account/secret-url.js'
import { quoteShellWord } from '../../util/text/shell-words.js'

const sampleValues: Readonly<Record<string, string>> = {
  destination: '+12025550123',
  message: 'Hello',
}

export function formatSecretUrlAddress(base: string, secret: string): string {
  return `${base}/u/${secret}`
}

export function formatCurlCommand(url: string, terms: SecretUrlTerms): string {
  const required = getFormFields(terms).filter(({ isRequired }) => isRequired)
  const fields = required.map(
    ({ name }) => `--data-urlencode ${quoteShellWord(`${name}=${sampleValues[name] ?? 'VALUE'}`)}`,
  )
  return ['curl', ...(fields.length === 0 ? ['-X POST'] : fields), quoteShellWord(url)].join(' ')
}
