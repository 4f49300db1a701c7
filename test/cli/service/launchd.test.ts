import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { findManager } from '../../../src/cli/service/find-manager.js'
import {
  runInstall,
  runStatus,
  runUninstall,
} from '../../../src/cli/service/run-service-command.js'
import type { ServiceJob } from '../../../src/cli/service/service-job.js'
import { temporaryFolder } from '../../temporary-folder.js'

const launchd = findManager('darwin')
const domain = `gui/${process.getuid?.() ?? 0}`

const job: ServiceJob = {
  scope: 'user',
  name: 'smsrelay-phone',
  command: ['/usr/local/bin/node', '/opt/run.js', 'phone', '--option=text=<a & "b">'],
  environment: { SMSRELAY_APP_KEY: 'srp_x' },
  stopTime: 90,
  unitLines: ['Type=exec'],
}

/**
 * The home directory of a user of macOS, with a launchctl that records its calls. Its `bootout`
 * returns while the job ends, which takes as long as three calls of `print`.
 */
async function createMac(printed = '\tstate = running\n\tpid = 4711') {
  const home = await temporaryFolder()
  const bin = join(home, 'bin')
  const calls = join(home, 'calls')
  await mkdir(bin)
  const script = [
    '#!/bin/sh',
    `case "$1 $2" in 'print ${domain}/'*)`,
    `  printf '%s\\n' '${printed}'`,
    `  ending=$(wc -l 2> /dev/null < ${home}/ending) || exit 0`,
    `  echo "$*" >> ${calls}; echo >> ${home}/ending`,
    '  [ "$ending" -lt 3 ]; exit;;',
    'print*) exit 0;; esac',
    `echo "$*" >> ${calls}`,
    `rm -f ${home}/ending`,
    `[ "$1" != bootout ] || { : > ${home}/ending; exit 36; }`,
  ]
  await writeFile(join(bin, 'launchctl'), script.join('\n'), { mode: 0o755 })
  const env = { HOME: home, PATH: `${bin}${delimiter}${process.env.PATH}` }
  const called = async () => (await readFile(calls, 'utf8')).trimEnd().split('\n')
  return { env, called, plist: join(home, 'Library/LaunchAgents/smsrelay-phone.plist') }
}

test('a job is written with its secrets, only for its user, and loaded', async () => {
  const { env, called, plist } = await createMac()
  const { text } = await runInstall(job, launchd, { env, print: false })
  expect(text).toBe(`Started: ${plist}`)
  const lines = (await readFile(plist, 'utf8')).split('\n').map(line => line.trim())
  expect(lines.slice(0, 2)).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!-- Written by smsrelay; its command service uninstall removes it. -->',
  ])
  expect(lines.join('')).toContain(
    '<key>Label</key><string>smsrelay-phone</string><key>ProgramArguments</key><array>' +
      '<string>/usr/local/bin/node</string><string>/opt/run.js</string><string>phone</string>' +
      '<string>--option=text=&lt;a &amp; "b"&gt;</string></array><key>EnvironmentVariables</key>' +
      '<dict><key>SMSRELAY_APP_KEY</key><string>srp_x</string></dict><key>RunAtLoad</key><true/>',
  )
  expect(lines.join('')).toContain('<key>ExitTimeOut</key><integer>90</integer>')
  expect((await stat(plist)).mode & 0o777).toBe(0o600)
  expect(await called()).toEqual([
    `enable ${domain}/smsrelay-phone`,
    `bootout ${domain}/smsrelay-phone`,
    ...Array(4).fill(`print ${domain}/smsrelay-phone`),
    `bootstrap ${domain} ${plist}`,
  ])
})

test('a job is shown, unloaded and removed', async () => {
  const { env, called, plist } = await createMac()
  await runInstall({ ...job, environment: {} }, launchd, { env, print: false })
  expect((await stat(plist)).mode & 0o777).toBe(0o644)
  expect(await runStatus(job, launchd, env)).toMatchObject({
    isActive: true,
    value: { unit: 'smsrelay-phone', state: 'active', pid: 4711 },
    text: expect.stringContaining(`tail -f ${env.HOME}/Library/Logs/smsrelay-phone.log`),
  })
  await runUninstall(job, launchd, env)
  await expect(stat(plist)).rejects.toThrow('ENOENT')
  expect((await called()).slice(-5)).toEqual([
    `bootout ${domain}/smsrelay-phone`,
    ...Array(4).fill(`print ${domain}/smsrelay-phone`),
  ])
})

test('a job that waits for its next start is not active', async () => {
  const { env } = await createMac('\tstate = spawn scheduled')
  await runInstall(job, launchd, { env, print: false })
  const { isActive, value } = await runStatus(job, launchd, env)
  expect({ isActive, value }).toMatchObject({
    isActive: false,
    value: { state: 'spawn scheduled' },
  })
})

test('a job of the machine needs a user', async () => {
  const { env } = await createMac()
  const system = { ...job, scope: 'system' } as const
  const printed = runInstall(system, launchd, { env, print: true })
  await expect(printed).rejects.toThrow('A service of the machine would run as root.')
  const { text } = await runInstall({ ...system, runAs: 'sms' }, launchd, { env, print: true })
  expect(text).toMatch(/<key>UserName<\/key>\s*<string>sms<\/string>/)
  expect(text).toContain('<string>/var/log/smsrelay-phone.log</string>')
})

test('Windows has no service manager', () => {
  expect(() => findManager('win32')).toThrow('Windows has neither systemd nor launchd.')
})
