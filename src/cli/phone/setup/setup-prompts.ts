import { readdir } from 'node:fs/promises'
import { type DriverName, driverNames } from '../../../domain/phone/driver-names.js'
import type { OptionNotes } from '../../../phone/driver-port/driver-options.js'
import { driverKinds } from '../../../phone/drivers/driver-registry.js'
import { describePresets } from '../../../phone/drivers/http/presets/describe-presets.js'
import { presets } from '../../../phone/drivers/http/presets/http-presets.js'
import type { Io } from '../../terminal/io.js'
import { ask, choose, type Question } from '../../terminal/prompt.js'
import type { Setup } from './saved-setup.js'

type SetupQuestion = Omit<Question, 'name'> & { readonly key: string }

const optional = { optional: true } as const

/**
 * Asks for the driver of a `smsrelay phone` setup, its options, the rate and the quiet hours.
 * Throws at Ctrl-C.
 */
export async function askForSetup(io: Io): Promise<Setup> {
  const driver = await choose('Driver', driverNames, io)
  const answers = await askDriverOptions(driver as DriverName, io)
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

async function askDriverOptions(driver: DriverName, io: Io): Promise<Record<string, string>> {
  const { options } = driverKinds[driver]
  if (driver !== 'http') return await askAll(await addDeviceDefault(listQuestions(options)), io)
  const descriptions = describePresets()
  const names = descriptions.map(({ preset }) => preset)
  const preset = await choose('Service', names, io)
  const { questions } = presets[preset] ?? {}
  if (questions !== undefined) return { preset, ...(await askAll(listQuestions(questions), io)) }
  const needed = descriptions.find(each => each.preset === preset)?.options ?? []
  return { preset, ...(await askAll(needed.map(toQuestion), io)) }
}

function listQuestions(options: Readonly<Record<string, OptionNotes>>): readonly SetupQuestion[] {
  return Object.entries(options).flatMap(([key, { ask: message, suggest, mask, ...rest }]) => {
    if (message === undefined) return []
    const isOptional = suggest === undefined && rest.required === undefined
    return {
      ...{ key, message, ...(suggest === undefined ? {} : { default: suggest }) },
      ...(isOptional ? optional : {}),
      ...(mask === undefined ? {} : { secret: true }),
    }
  })
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
