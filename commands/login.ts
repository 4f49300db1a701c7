import { boolean } from '@oclif/core/flags'
import { ApiCommand } from '../src/cli/command/api-command.js'
import { checkProfile } from '../src/cli/profile/check-login.js'
import { findProfileName } from '../src/cli/profile/connection.js'
import { getConfigDir } from '../src/cli/profile/directories.js'
import { revokeTokens } from '../src/cli/profile/forget-profile.js'
import { type Profile, readProfile, saveProfile } from '../src/cli/profile/profile.js'
import { parseBaseAddress } from '../src/cli/terminal/parse-values.js'
import { ask, canAsk, confirm } from '../src/cli/terminal/prompt.js'
import { RelayError } from '../src/errors.js'

export default class Login extends ApiCommand {
  static override summary = 'Save the address of a relay and the keys of an account as a profile.'
  static override description =
    'Checks the keys with the relay and saves them in a file that only you can read. ' +
    'Without a terminal, set the keys in the environment. ' +
    'A profile of another account is replaced only with --replace.'
  static override examples = [
    { description: 'Save the default profile.', command: '<%= config.bin %> login' },
    {
      description: 'Save another profile.',
      command: '<%= config.bin %> login --profile work --url https://sms.example.com',
    },
  ]

  static override flags = {
    replace: boolean({
      description: 'Replace a saved profile of another account.',
      env: 'SMSRELAY_REPLACE',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Login)
    const dir = getConfigDir(this.io.env)
    const name = await findProfileName(flags, dir)
    const present = await readProfile(name, dir)
    const address = await this.requireValue(flags.url, {
      name: '--url',
      message: 'Address of the relay',
      default: 'http://127.0.0.1:8080',
    })
    const url = parseBaseAddress('--url', address)
    this.warnOfPlainHttp(url)
    const secretKey = await this.requireValue(flags['secret-key'], {
      name: '--secret-key',
      message: 'Secret key',
      secret: true,
    })
    requirePrefix('--secret-key', secretKey)
    const isOther = present !== undefined && !isSameAccount(present, url, secretKey)
    if (isOther && !flags.replace) await this.#confirmReplacement(name, present)
    const keys = await this.#readKeys(flags['api-key'], flags['app-key'])
    requirePrefix('--api-key', keys.api_key)
    requirePrefix('--app-key', keys.app_key)
    const profile = await checkProfile({ url, secret_key: secretKey, ...keys }, flags, this.signal)
    if (present !== undefined) await revokeTokens(name, present.url, dir, this.signal)
    await saveProfile(
      name,
      isOther ? profile : { ...profile, ...present, ...omitAbsent(profile) },
      dir,
    )
    const { email } = profile
    this.print(
      { profile: name, url, email: email ?? null },
      () => `Logged in to ${url} as ${email ?? 'a phone'} (profile ${name}).`,
    )
  }

  async #confirmReplacement(name: string, { url, email }: Profile): Promise<void> {
    const owner = `${email ?? 'a phone'} at ${url}`
    const question = `The profile ${name} has the keys of ${owner}. Replace them?`
    if (canAsk(this.io, this.json) && (await confirm(question, this.io))) return
    throw new RelayError('usage', `The profile ${name} has the keys of ${owner}.`, {
      hint: 'Save other keys with --profile NAME, or add --replace.',
    })
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

const prefixes = { '--secret-key': 'srs_', '--api-key': 'sra_', '--app-key': 'srp_' } as const

/** A key begins with its kind, except one that another program made. */
function requirePrefix(name: keyof typeof prefixes, key: string | undefined): void {
  const [kind] = Object.entries(prefixes).find(([, prefix]) => key?.startsWith(prefix)) ?? [name]
  if (kind === name) return
  throw new RelayError('usage', `${name} has a key that begins with ${key?.slice(0, 4)}.`, {
    hint: `That is a key for ${kind}; a key for ${name} begins with ${prefixes[name]}.`,
    fields: { flag: name },
  })
}

function isSameAccount(profile: Profile, url: string, secretKey: string): boolean {
  return profile.url === url && profile.secret_key === secretKey
}

/** The values of a profile that replace saved ones: a key that was not given stays. */
function omitAbsent(profile: Profile): Partial<Profile> {
  return Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined))
}

function omitEmpty(key: string): string | undefined {
  return key === '' ? undefined : key
}
