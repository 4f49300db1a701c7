import type { NewAccount } from '../../contract/account-schema.js'
import { defaultProfile } from '../profile/profile.js'

/** Where the keys of a new account are saved, and how to call the program here. */
export interface NewRelayDetails {
  readonly dataDir: string
  readonly profile: string
  readonly program: string
}

/** The command to type: `npx smsrelay` if npm started the program in a checkout. */
export function getProgramName(env: Readonly<Record<string, string | undefined>>): string {
  return env.npm_lifecycle_event === 'start' ? 'npx smsrelay' : 'smsrelay'
}

/** The keys of a new relay, which are printed only once, and two commands to try. */
export function formatNewRelay(account: NewAccount, where: NewRelayDetails): string {
  const use = where.profile === defaultProfile ? '' : ` --profile ${where.profile}`
  return [
    `Created a new relay in ${where.dataDir}. The owner's account, shown only once:`,
    '',
    `  E-mail      ${account.email}`,
    `  Password    ${account.password}`,
    `  Secret key  ${account.secret_key}`,
    `  API key     ${account.api_key}`,
    `  App key     ${account.app_key}`,
    '',
    `The keys are saved as profile "${where.profile}". Type in another terminal:`,
    '',
    `  ${where.program} phone --driver simulate${use}`,
    `  ${where.program} message send +12025550123 "Hello" --wait${use}`,
    '',
  ].join('\n')
}
