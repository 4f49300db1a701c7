import type { NewAccount } from '../contract/account.js'
import { defaultProfile } from './profile.js'

/** What a person sees once of a new account. */
export function newAccountView(account: NewAccount, dataDir: string, profile: string): string {
  const use = profile === defaultProfile ? '' : ` --profile ${profile}`
  return [
    `A new relay in ${dataDir}. Its owner's account, shown this once:`,
    '',
    `  E-mail      ${account.email}`,
    `  Password    ${account.password}`,
    `  Secret key  ${account.secret_key}`,
    `  API key     ${account.api_key}`,
    `  App key     ${account.app_key}`,
    '',
    `The keys are saved as the profile "${profile}", so this works in another terminal:`,
    '',
    `  smsrelay phone --driver simulate${use}`,
    `  smsrelay message send +12025550123 "Hello" --wait${use}`,
    '',
  ].join('\n')
}
