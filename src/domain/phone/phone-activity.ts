// The activity of a phone in the last day, in slots of five minutes, as a text in its record:
// `5836612 a120 -3 q60` has the number of its first slot, then states with their numbers of slots.
// Two such texts merge in any order, so each node records what it sees.

/** What a phone did in five minutes: it asked for messages, was present, was quiet, or nothing. */
export type ActivityState = 'active' | 'present' | 'quiet' | 'none'

/** The states by their letters, from the one that counts least. */
const states = { '-': 'none', q: 'quiet', p: 'present', a: 'active' } as const
type Letter = keyof typeof states
const letters = Object.keys(states).join('')

/** Milliseconds of a slot of a phone's activity. */
export const activitySlot = 5 * 60 * 1000
const day = 24 * 60 * 60 * 1000
const maxSlots = day / activitySlot + 1

export const activityPattern = /^\d{1,9}(?: [apq-]\d{1,3}){1,289}$/

interface Slots {
  readonly first: number
  readonly letters: string
}

export function observeActivity(
  activity: string | undefined,
  now: number,
  letter: Exclude<Letter, '-'>,
): string {
  return mergeActivities(activity, `${Math.floor(now / activitySlot)} ${letter}1`)
}

export function mergeActivities(one: string | undefined, other: string): string {
  if (one === undefined || one === other) return other
  const [a, b] = [parseSlots(one), parseSlots(other)]
  const end = Math.max(getEnd(a), getEnd(b))
  const first = Math.max(Math.min(a.first, b.first), end - maxSlots)
  // Most slots are in one of them only, and those are copied at once: lists of phones merge often.
  const start = Math.max(a.first, b.first, first)
  const stop = Math.max(start, Math.min(getEnd(a), getEnd(b)))
  let merged = getLetters(a.first < b.first ? a : b, first, start)
  for (let slot = start; slot < stop; slot += 1) {
    merged += getBusier(getLetter(a, slot), getLetter(b, slot))
  }
  merged += getLetters(getEnd(a) < getEnd(b) ? b : a, stop, end)
  return `${first}${merged.replace(/(.)\1*/g, run => ` ${run[0]}${run.length}`)}`
}

export interface ActivitySpan {
  readonly state: ActivityState
  readonly from: number
  readonly until: number
}

/** Lists the states of a phone in the day before `now`, without gaps, the oldest first. */
export function listActivity(activity: string | undefined, now: number): ActivitySpan[] {
  const slots = parseSlots(activity ?? '0 -1')
  const spans: ActivitySpan[] = []
  let from = now - day
  for (let slot = Math.floor(from / activitySlot); from < now; slot += 1) {
    const letter = getLetter(slots, slot)
    const until = Math.min((slot + 1) * activitySlot, now)
    if (until < now && getLetter(slots, slot + 1) === letter) continue
    spans.push({ state: states[letter], from, until })
    from = until
  }
  return spans
}

function parseSlots(activity: string): Slots {
  const [first, ...runs] = activity.split(' ')
  const all = runs.map(run => (run[0] ?? '-').repeat(Number(run.slice(1))))
  return { first: Number(first), letters: all.join('') }
}

function getEnd(slots: Slots): number {
  return slots.first + slots.letters.length
}

function getLetters({ first, letters }: Slots, from: number, until: number): string {
  return letters.slice(from - first, Math.max(from, until) - first).padEnd(until - from, '-')
}

function getBusier(one: Letter, other: Letter): Letter {
  return letters.indexOf(one) > letters.indexOf(other) ? one : other
}

function getLetter(slots: Slots, slot: number): Letter {
  // An index out of range is slow; `charAt` is not.
  return (slots.letters.charAt(slot - slots.first) || '-') as Letter
}
