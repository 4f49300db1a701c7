import type { NewAccount } from '../../contract/account-schema.js'
import { defaultProfile } from '../profile/profile.js'

/** Where a new account's keys are, and how the program is called here. */
export interface NewRelayDetails {
  readonly dataDir: string
  readonly profile: string
  readonly program: string
}

/** How a person calls the program: in a checkout, where npm started it, by npx. */
export function getProgramName(env: Readonly<Record<string, string | undefined>>): string {
  return env.npm_lifecycle_event === 'start' ? 'npx smsrelay' : 'smsrelay'
}

/** What a person sees once of a new account. */
export function formatNewRelay(account: NewAccount, where: NewRelayDetails): string {
  const use = where.profile === defaultProfile ? '' : ` --profile ${where.profile}`
  return [
    `A new relay in ${where.dataDir}. Its owner's account, shown this once:`,
    '',
    `  E-mail      ${account.email}`,
    `  Password    ${account.password}`,
    `  Secret key  ${account.secret_key}`,
    `  API key     ${account.api_key}`,
    `  App key     ${account.app_key}`,
    '',
    `The keys are saved as the profile "${where.profile}", so this works in other terminals:`,
    '',
    `  ${where.program} phone --driver simulate${use}`,
    `  ${where.program} message send +12025550123 "Hello" --wait${use}`,
    '',
  ].join('\n')
}
