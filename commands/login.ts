import { ApiCommand } from '../src/cli/command/api-command.js'
import { checkProfile } from '../src/cli/profile/check-login.js'
import { getProfileName } from '../src/cli/profile/connection.js'
import { getConfigDir } from '../src/cli/profile/directories.js'
import { saveProfile } from '../src/cli/profile/profile.js'
import { parseBaseAddress } from '../src/cli/terminal/parse-values.js'
import { ask, canAsk } from '../src/cli/terminal/prompt.js'

export default class Login extends ApiCommand {
  static override summary = 'Save the address of a relay and the keys of an account as a profile.'
  static override description =
    'Checks the keys with the relay and saves them in a file that only you can read. ' +
    'Without a terminal, set the keys in the environment.'
  static override examples = [
    { description: 'Save the default profile.', command: '<%= config.bin %> login' },
    {
      description: 'Save another profile.',
      command: '<%= config.bin %> login --profile work --url https://sms.example.com',
    },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(Login)
    const address = await this.requireValue(flags.url, {
      name: '--url',
      message: 'Address of the relay',
      default: 'http://127.0.0.1:8080',
    })
    const url = parseBaseAddress('--url', address)
    const secretKey = await this.requireValue(flags['secret-key'], {
      name: '--secret-key',
      message: 'Secret key',
      secret: true,
    })
    const keys = await this.#readKeys(flags['api-key'], flags['app-key'])
    const profile = await checkProfile({ url, secret_key: secretKey, ...keys }, flags, this.signal)
    const name = getProfileName(flags)
    await saveProfile(name, profile, getConfigDir(this.io.env))
    const { email } = profile
    this.print(
      { profile: name, url, email: email ?? null },
      () => `Logged in to ${url} as ${email ?? 'a phone'} (profile ${name}).`,
    )
  }

  async #readKeys(api: string | undefined, app: string | undefined) {
    if (api !== undefined || app !== undefined) return { api_key: api, app_key: app }
    const apiKey = await this.requireValue(undefined, {
      name: '--api-key',
      message: 'API key (empty for a phone)',
      secret: true,
      optional: true,
      hint: 'Set SMSRELAY_API_KEY, or SMSRELAY_APP_KEY for a phone.',
    })
    if (!canAsk(this.io, this.json)) return { api_key: omitEmpty(apiKey) }
    const message = 'Application key (empty for none)'
    const question = { name: '--app-key', message, secret: true, optional: true }
    return { api_key: omitEmpty(apiKey), app_key: omitEmpty(await ask(question, this.io)) }
  }
}

function omitEmpty(key: string): string | undefined {
  return key === '' ? undefined : key
}
