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
/** Slots that a phone's record has: a day begins and ends within a slot. */
const maxSlots = day / activitySlot + 1

export const activityPattern = /^\d{1,9}(?: [apq-]\d{1,3}){1,289}$/

interface Slots {
  readonly first: number
  /** A letter for each slot. */
  readonly letters: string
}

/** Adds what a phone does at `now` to its activity. */
export function observeActivity(
  activity: string | undefined,
  now: number,
  letter: Exclude<Letter, '-'>,
): string {
  return mergeActivities(activity, `${Math.floor(now / activitySlot)} ${letter}1`)
}

/** Merges the activities of a phone; in each slot the busier state counts. */
export function mergeActivities(one: string | undefined, other: string): string {
  if (one === undefined || one === other) return other
  const [a, b] = [parseSlots(one), parseSlots(other)]
  const end = Math.max(getEnd(a), getEnd(b))
  const first = Math.max(Math.min(a.first, b.first), end - maxSlots)
  const merged = Array.from({ length: end - first }, (_, index) => {
    const ranks = [a, b].map(slots => letters.indexOf(getLetter(slots, first + index)))
    return letters[Math.max(...ranks)]
  })
  return `${first}${merged.join('').replace(/(.)\1*/g, run => ` ${run[0]}${run.length}`)}`
}

/** A state of a phone from `from` until `until`, in milliseconds since the epoch. */
export interface ActivitySpan {
  readonly state: ActivityState
  readonly from: number
  readonly until: number
}

/** Lists the states of a phone in the day before `now`, without gaps, the oldest first. */
export function listActivity(activity: string | undefined, now: number): ActivitySpan[] {
  const slots = parseSlots(activity ?? '0 -1')
  const spans: ActivitySpan[] = []
  for (let from = now - day; from < now; ) {
    const slot = Math.floor(from / activitySlot)
    const until = Math.min((slot + 1) * activitySlot, now)
    const state = states[getLetter(slots, slot)]
    const before = spans.at(-1)
    if (before?.state === state) spans[spans.length - 1] = { ...before, until }
    else spans.push({ state, from, until })
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

function getLetter(slots: Slots, slot: number): Letter {
  return (slots.letters[slot - slots.first] as Letter | undefined) ?? '-'
}
