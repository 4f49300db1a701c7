import { readdir } from 'node:fs/promises'
import { driverNames } from '../../../domain/phone/driver-names.js'
import { describePresets } from '../../../phone/drivers/http/presets/describe-presets.js'
import type { Io } from '../../terminal/io.js'
import { ask, choose, type Question } from '../../terminal/prompt.js'
import type { Setup } from './saved-setup.js'

type SetupQuestion = Omit<Question, 'name'> & { readonly key: string }

const optional = { optional: true } as const
const secret = { optional: true, secret: true } as const

const questions: Readonly<Record<string, readonly SetupQuestion[]>> = {
  modem: [
    { key: 'device', message: 'Device of the modem, or tcp://HOST:PORT', default: '/dev/ttyUSB2' },
    { key: 'pin', message: 'PIN of the SIM card (empty: no PIN)', ...secret },
  ],
  smpp: [
    { key: 'host', message: 'Host of the SMSC' },
    { key: 'port', message: 'Port', default: '2775' },
    { key: 'system-id', message: 'System id of the account' },
    {
      key: 'password',
      message: 'Password (empty: SMSRELAY_SMPP_PASSWORD in the environment)',
      ...secret,
    },
  ],
  gammu: [
    {
      key: 'config',
      message: 'Configuration file of gammu (empty: its default)',
      ...optional,
    },
  ],
  mmcli: [
    { key: 'modem', message: 'Index or UID of the modem (empty: the only one)', ...optional },
  ],
  exec: [{ key: 'command', message: 'Program and its first arguments' }],
}

const presetQuestions: Readonly<Record<string, readonly SetupQuestion[]>> = {
  smsgate: [
    { key: 'url', message: 'Address of the phone, such as http://192.168.1.20:8080' },
    { key: 'user', message: 'User', default: 'sms' },
    {
      key: 'password',
      message: 'Password (empty: SMSRELAY_HTTP_PASSWORD in the environment)',
      ...secret,
    },
  ],
  httpsms: [{ key: 'from', message: 'Number of the phone' }],
  textbee: [{ key: 'device', message: 'Id of the phone (empty: the default phone)', ...optional }],
  twilio: [
    { key: 'account', message: 'Account SID' },
    { key: 'from', message: 'Number of the sender' },
  ],
}

/**
 * Asks for the driver of a `smsrelay phone` setup, its options, the rate and the quiet hours.
 * Throws at Ctrl-C.
 */
export async function askForSetup(io: Io): Promise<Setup> {
  const driver = await choose('Driver', driverNames, io)
  const answers = await askDriverOptions(driver, io)
  const rate = await ask(
    {
      name: '--rate',
      message: 'Maximum rate in parts, such as 30/min (empty: no limit)',
      ...optional,
    },
    io,
  )
  const hours = 'Quiet hours, such as 22:00-07:00 (empty: always send)'
  const quiet = await ask({ name: '--quiet', message: hours, ...optional }, io)
  const option = Object.entries(answers).map(([key, value]) => `${key}=${value}`)
  return {
    driver: [driver],
    ...(option.length === 0 ? {} : { option }),
    ...(rate === '' ? {} : { rate: [rate] }),
    ...(quiet === '' ? {} : { quiet: [quiet] }),
  }
}

async function askDriverOptions(driver: string, io: Io): Promise<Record<string, string>> {
  if (driver !== 'http') return await askAll(await addDeviceDefault(questions[driver] ?? []), io)
  const descriptions = describePresets()
  const names = descriptions.map(({ preset }) => preset)
  const preset = await choose('Service', names, io)
  const needed = descriptions.find(each => each.preset === preset)?.options ?? []
  return { preset, ...(await askAll(presetQuestions[preset] ?? needed.map(toQuestion), io)) }
}

function toQuestion(option: string): SetupQuestion {
  const key = option.split('|').at(-1) ?? option
  return { key, message: `Value of the option ${key}` }
}

async function askAll(prompts: readonly SetupQuestion[], io: Io): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const { key, ...question } of prompts) {
    const answer = await ask({ name: key, ...question }, io)
    if (answer !== '') answers[key] = answer
  }
  return answers
}

/**
 * Suggests a modem for `phone setup`. Unlike /dev/ttyUSB2, names in by-id do not change when it is
 * plugged in again.
 */
async function addDeviceDefault(
  prompts: readonly SetupQuestion[],
): Promise<readonly SetupQuestion[]> {
  const byId = '/dev/serial/by-id'
  const [first] = (await readdir(byId).catch(() => [])).sort()
  if (first === undefined) return prompts
  return prompts.map(each =>
    each.key === 'device' ? { ...each, default: `${byId}/${first}` } : each,
  )
}
