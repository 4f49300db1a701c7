import { spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { isInstalled } from '../../installed.js'
import { temporaryFolder } from '../../temporary-folder.js'

export const hasAnalyze = isInstalled('systemd-analyze', 'the check of units by systemd')

/** How much of the system a unit exposes by systemd's measure, from 0 to 10. */
export function measureExposure(unitFile: string): number {
  const argv = ['security', '--offline=true', '--no-pager', unitFile]
  const { stdout } = spawnSync('systemd-analyze', argv, { encoding: 'utf8' })
  return Number(/Overall exposure level for .*: ([\d.]+)/.exec(stdout)?.[1])
}

interface StandIn {
  /** What `is-system-running` prints. */
  readonly state?: string
  /** Exit code of the commands that change something. */
  readonly status?: number
  /** Number of the version of systemd. */
  readonly version?: number
}

/** Directories of a user, and a systemctl that records the calls that change something. */
export async function createServiceHome(standIn: StandIn = {}) {
  const { state = 'running', status = 0, version = 252 } = standIn
  const dir = await temporaryFolder()
  const bin = join(dir, 'bin')
  const calls = join(dir, 'calls')
  await mkdir(bin)
  const script = [
    '#!/bin/sh',
    'case "$*" in',
    `  *is-system-running) echo ${state}; exit 0;;`,
    `  *--version) echo "systemd ${version} (${version}.1)"; exit 0;;`,
    'esac',
    `echo "$*" >> ${calls}`,
    `[ ${status} = 0 ] || echo "Unit is masked." >&2`,
    `exit ${status}`,
  ]
  await writeFile(join(bin, 'systemctl'), script.join('\n'), { mode: 0o755 })
  const config = join(dir, 'config')
  const env = {
    ...{ XDG_CONFIG_HOME: config, SMSRELAY_CONFIG_DIR: join(config, 'smsrelay') },
    PATH: `${bin}${delimiter}${process.env.PATH}`,
  }
  const unit = (name: string) => join(config, 'systemd', 'user', `${name}.service`)
  const variables = (name: string) => join(config, 'smsrelay', `${name}.env`)
  const called = async () => (await readFile(calls, 'utf8').catch(() => '')).trimEnd().split('\n')
  return { dir, env, unit, variables, called }
}
