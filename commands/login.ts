import { ApiCommand } from '../src/cli/command/api-command.js'
import { checkProfile } from '../src/cli/profile/check-login.js'
import { getProfileName } from '../src/cli/profile/connection.js'
import { getConfigDir } from '../src/cli/profile/directories.js'
import { saveProfile } from '../src/cli/profile/profile.js'
import { parseBaseAddress } from '../src/cli/terminal/parse-values.js'
import { ask, canAsk } from '../src/cli/terminal/prompt.js'

export default class Login extends ApiCommand {
  static override summary = 'Save a relay and the keys of an account as a profile.'
  static override description =
    'The keys are checked with the relay and saved in a file that only you may read. ' +
    'Give the keys through the environment where no terminal is there to ask.'
  static override examples = [
    '<%= config.bin %> login',
    '<%= config.bin %> login --profile work --url https://sms.example.com',
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(Login)
    const url = await this.requireValue(flags.url, {
      name: '--url',
      message: 'Address of the relay',
      default: 'http://127.0.0.1:8080',
    })
    parseBaseAddress('--url', url)
    const secret = await this.requireValue(flags['secret-key'], {
      name: '--secret-key',
      message: 'Secret key',
      secret: true,
    })
    const asks = flags['api-key'] === undefined && flags['app-key'] === undefined
    const api = asks ? await this.#apiKey() : flags['api-key']
    const app =
      flags['app-key'] ?? (asks && canAsk(this.io, this.json) ? await this.#appKey() : undefined)
    const keys = { secret_key: secret, api_key: omitEmpty(api), app_key: omitEmpty(app) }
    const profile = await checkProfile(
      { url: parseBaseAddress('--url', url), ...keys },
      flags,
      this.signal,
    )
    const name = getProfileName(flags)
    await saveProfile(name, profile, getConfigDir(this.io.env))
    const shown = { profile: name, url: profile.url, email: profile.email ?? null }
    this.print(
      shown,
      () => `Logged in to ${profile.url} as ${profile.email ?? 'a phone'} (profile ${name}).`,
    )
  }

  async #apiKey(): Promise<string> {
    return await this.requireValue(undefined, {
      name: '--api-key',
      message: 'API key (empty for a phone)',
      secret: true,
      optional: true,
      hint: 'Set SMSRELAY_API_KEY, or SMSRELAY_APP_KEY for a phone.',
    })
  }

  async #appKey(): Promise<string> {
    const question = { name: '--app-key', message: 'Application key (empty for none)' }
    return await ask({ ...question, secret: true, optional: true }, this.io)
  }
}

function omitEmpty(key: string | undefined): string | undefined {
  return key === '' ? undefined : key
}
