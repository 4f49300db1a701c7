import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { NewAccount } from '../../contract/account-schema.js'
import { cannotWriteError } from '../../util/files/file-error.js'
import { makeOwnDirectory } from '../../util/files/make-directory.js'
import { getConfigDir } from '../profile/directories.js'
import type { OwnerProfile } from '../profile/owner-profile.js'
import type { Io } from '../terminal/io.js'

export interface FirstRun {
  readonly account: NewAccount
  readonly dataDir: string | undefined
  /** Undefined if the keys could not be saved as a profile. */
  readonly profile: OwnerProfile | undefined
  readonly address: string
}

export function formatFirstRun(run: FirstRun, env: Io['env']): string {
  const created = `Created a new relay in ${getPlace(run)}.`
  const account = "The owner's account, shown only once:"
  const { profile } = run
  const saved =
    profile === undefined
      ? 'No profile has the keys. Type in another terminal:'
      : `The keys are saved as profile "${profile.name}". Type in another terminal:`
  const login = profile === undefined ? [formatLogin(run, env)] : []
  const steps = ['', saved, '', ...login, ...listNextSteps(run, env), '']
  return [created, account, '', formatKeys(run.account), ...steps].join('\n')
}

/**
 * Writes the owner's keys to a file that only the user can read, for an output that may be stored
 * in a log. Resolves to the text for that output, which names the file. Throws `unavailable`.
 */
export async function saveFirstRun(run: FirstRun, env: Io['env']): Promise<string> {
  const file = join(
    run.dataDir ?? getConfigDir(env),
    `owner-keys-${run.profile?.name ?? 'default'}.txt`,
  )
  try {
    await makeOwnDirectory(dirname(file))
    await writeFile(file, `${formatKeys(run.account)}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw cannotWriteError(file, error)
  }
  const created = `Created a new relay in ${getPlace(run)}. The owner's password and keys are in`
  const { profile } = run
  const saved = `The user of this process has them in profile "${profile?.name}", and can type:`
  const own = profile === undefined ? [] : [saved, '', ...listNextSteps(run, env), '']
  const others = profile === undefined ? 'Type first' : 'Other users of this machine first type'
  const login = [`${others}, with the keys of the file:`, '', formatLogin(run, env)]
  const steps = ['', ...own, ...login, '']
  return [created, `${file}.`, ...steps].join('\n')
}

function formatLogin({ address }: FirstRun, env: Io['env']): string {
  return `  ${getProgram(env)} login --url ${address}`
}

function getPlace({ dataDir }: FirstRun): string {
  return dataDir ?? 'the database'
}

function formatKeys(account: NewAccount): string {
  return [
    `  E-mail      ${account.email}`,
    `  Password    ${account.password}`,
    `  Secret key  ${account.secret_key}`,
    `  API key     ${account.api_key}`,
    `  App key     ${account.app_key}`,
  ].join('\n')
}

/** The program as it is typed: `npx smsrelay` if npm started it in a checkout. */
function getProgram(env: Io['env']): string {
  return env.npm_lifecycle_event === 'start' ? 'npx smsrelay' : 'smsrelay'
}

function listNextSteps({ profile }: FirstRun, env: Io['env']): string[] {
  const program = getProgram(env)
  const { name, isCurrent, current } = profile ?? { isCurrent: true }
  const profileFlag = isCurrent ? '' : ` --profile ${name}`
  const choice = [
    '',
    `The profile "${current}" is unchanged. To use "${name}" without --profile, type:`,
    '',
    `  ${program} profile use ${name}`,
  ]
  return [
    `  ${program} phone --driver simulate${profileFlag}`,
    `  ${program} message send +12025550123 "Hello" --wait${profileFlag}`,
    ...(isCurrent ? [] : choice),
  ]
}
