import type { DriverHealth, DriverNetwork } from '../../driver-port/driver.js'
import { type AtChannel, findAnswer, tryCommand } from './at-channel.js'
import { AtError, isModemTrouble } from './at-error.js'

/** Milliseconds; some modems ask the network for the operator. */
const operatorTimeout = 20_000

/** The commands that ask for the registration in each kind of network (3GPP TS 27.007). */
const networkKinds = [
  ['+CREG', '2G or 3G'],
  ['+CGREG', '2G or 3G data'],
  ['+CEREG', 'LTE'],
  ['+C5GREG', '5G'],
] as const

/** The states of a registration (3GPP TS 27.007 section 7.2). */
const states: Readonly<Record<string, string>> = {
  0: 'not looking for a network',
  1: 'in the home network',
  2: 'looking for a network',
  3: 'rejected by the network',
  4: 'network unknown',
  5: 'roaming',
  6: 'in the home network, for SMS only',
  7: 'roaming, for SMS only',
  8: 'emergency calls only',
  9: 'in the home network',
  10: 'roaming',
}
/** The states in which a modem can send texts, the best first. */
const registered = ['1', '9', '5', '10', '6', '7']
/** The other states, the most informative first. */
const unregistered = ['8', '3', '2', '0', '4']

interface Registration {
  readonly state: string
  readonly kind: string
}

interface ModemState {
  /** What AT+CPIN? says instead of READY; absent if the SIM is ready, or the modem does not say. */
  readonly sim?: string
  readonly registrations: readonly Registration[]
  readonly isRegistered: boolean
}

/** Reads whether the SIM is ready, and whether a network has accepted the modem. */
export async function readModemState(channel: AtChannel): Promise<ModemState> {
  const registrations: Registration[] = []
  for (const [name, kind] of networkKinds) {
    const lines = (await tryCommand(channel, { command: `AT${name}?` })) ?? []
    const state = findState(lines, name)
    if (state !== undefined) registrations.push({ state, kind })
  }
  const isRegistered = registrations.some(({ state }) => registered.includes(state))
  const sim = await readSim(channel)
  return { registrations, isRegistered, ...(sim === undefined ? {} : { sim }) }
}

export async function readModemHealth(channel: AtChannel): Promise<DriverHealth> {
  const signal = parseSignal(await ask(channel, 'AT+CSQ', '+CSQ'))
  const { sim, registrations, isRegistered } = await readModemState(channel)
  const operator = isRegistered ? await askOperator(channel) : undefined
  const words = operator === undefined ? [] : [`operator ${operator}`]
  const detail = [`Signal ${signal ?? 'unknown'}`, describeNetwork(registrations), ...words]
  const trouble = sim === undefined ? '' : `The SIM is not ready (${sim}). `
  return { ok: isRegistered && sim === undefined, detail: `${trouble}${detail.join(', ')}.` }
}

async function readSim(channel: AtChannel): Promise<string | undefined> {
  try {
    const sim = findAnswer(await channel.run({ command: 'AT+CPIN?' }), '+CPIN')
    return sim === 'READY' ? undefined : sim
  } catch (error) {
    if (!(error instanceof AtError) || !('code' in error.fault)) return undefined
    return isModemTrouble(error) ? error.message : undefined
  }
}

export async function readModemNetwork(channel: AtChannel): Promise<DriverNetwork> {
  const signal = parseSignal(await ask(channel, 'AT+CSQ', '+CSQ'))
  const operator = await askOperator(channel)
  return { ...(signal && { signal }), ...(operator && { operator }) }
}

async function askOperator(channel: AtChannel): Promise<string | undefined> {
  return parseOperator(await ask(channel, 'AT+COPS?', '+COPS', operatorTimeout))
}

async function ask(
  channel: AtChannel,
  command: string,
  name: string,
  timeout?: number,
): Promise<string | undefined> {
  const lines = await tryCommand(channel, {
    command,
    ...(timeout === undefined ? {} : { timeout }),
  })
  return lines === undefined ? undefined : findAnswer(lines, name)
}

/** The state in `+CREG: n,stat,…`, or in an unsolicited `+CREG: stat`. */
function findState(lines: readonly string[], name: string): string | undefined {
  const answers = lines.flatMap(line =>
    line.startsWith(`${name}:`) ? line.slice(name.length + 1).trim() : [],
  )
  const [, state] = answers.map(each => /^\d, ?(\d+)(?:,|$)/.exec(each)).find(Boolean) ?? []
  return state ?? answers.map(each => /^(\d+)(?:,|$)/.exec(each)?.[1]).find(Boolean)
}

/** AT+CSQ has 0 to 31, 99 if unknown (3GPP TS 27.007 section 8.5). */
function parseSignal(signal: string | undefined): string | undefined {
  const strength = Number(signal?.split(',')[0] ?? Number.NaN)
  return strength <= 31 ? `${strength * 2 - 113} dBm` : undefined
}

function describeNetwork(found: readonly Registration[]): string {
  const order = [...registered, ...unregistered]
  for (const state of order) {
    const same = found.filter(each => each.state === state).map(each => each.kind)
    if (same.length === 0) continue
    const kinds = registered.includes(state) ? ` (${same.join(', ')})` : ''
    return `${states[state]}${kinds}`
  }
  return 'network unknown'
}

/** `+COPS: mode,format,operator,technology` (3GPP TS 27.007 section 7.3). */
function parseOperator(operator: string | undefined): string | undefined {
  const name = operator?.split(',')[2]?.trim() ?? ''
  return name === '' ? undefined : name
}
