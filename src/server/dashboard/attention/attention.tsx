// What needs attention: problems that a person should solve, most urgent first. The overview lists
// them, and the navigation of every page shows how many there are.
// 1. The relay: it cannot store changes, its data is damaged, its alerts cannot be sent.
// 2. Silent phones, and paused subscriptions.
// 3. An hour in which unusually many messages failed, and messages that wait for a decision.
// `attention-list.ts` remembers for a moment how many there are.
import type { Account } from '../../../domain/account/account.js'
import type { Role } from '../../../domain/account/person.js'
import { maxCounted } from '../../../domain/message/message-counts.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import { formatLimitedCount } from '../../../util/text/plural.js'
import type { ServerContext } from '../../http/server-context.js'
import type { PhoneView } from '../../services/phones/phone-service.js'
import type { CountedSpan } from '../../services/statistics-service.js'
import { type Child, Fragment, h } from '../components/html.js'
import type { IconName } from '../components/icons.js'
import { Time } from '../components/time.js'

export interface AttentionItem {
  readonly icon: IconName
  readonly tone: 'bad' | 'warn' | 'held'
  readonly title: string
  readonly text: Child
  readonly step?: { readonly text: string; readonly role: Exclude<Role, 'reader'> }
  /**
   * Where a person solves it; absent if not in the dashboard. `isView`: the page also helps people
   * who cannot take the next step.
   */
  readonly action?: { readonly label: string; readonly path: string; readonly isView?: true }
}

export type AttentionContext = Pick<
  ServerContext,
  'problems' | 'readiness' | 'phones' | 'subscriptions' | 'statistics' | 'messages' | 'now'
>

/** What the problems of an account follow from, and a page of the dashboard may show as well. */
export interface AttentionSources {
  readonly phones: Promise<readonly PhoneView[]>
  readonly subscriptions: Promise<readonly Subscription[]>
  readonly hours: Promise<readonly CountedSpan[]>
}

export function loadAttentionSources(
  { phones, subscriptions, statistics }: AttentionContext,
  account: Account,
): AttentionSources {
  return {
    phones: phones.list(account),
    subscriptions: subscriptions.list(account),
    hours: statistics.getHours(account),
  }
}

/** Lists what needs attention in an account, most urgent first. */
export async function listAttention(
  context: AttentionContext,
  account: Account,
  sources: AttentionSources,
): Promise<AttentionItem[]> {
  const lists = await Promise.all([
    listRelayProblems(context, account),
    listSilentPhones(context, account, sources),
    listPausedSubscriptions(sources),
    listFailureBursts(sources),
    listUndecidedMessages(context, account),
  ])
  return lists.flat()
}

async function listRelayProblems(
  { readiness, problems }: AttentionContext,
  account: Account,
): Promise<AttentionItem[]> {
  const failure = await readiness.findStoreFailure()
  const found = await problems.listOthers(account.id)
  const unwritable: AttentionItem = {
    icon: 'warn',
    tone: 'bad',
    title: 'The relay cannot store changes',
    text: `${failure?.reason} Nothing can be sent or changed. The relay's owner must solve it.`,
  }
  const others = found.map(({ code, message, detail, hint }): AttentionItem => {
    const item = { icon: 'warn', tone: 'bad', title: message } as const
    if (code !== 'alert_mail_failed') return { ...item, text: hint }
    return {
      ...item,
      text: '',
      step: { text: `${detail} ${hint}`, role: 'admin' },
      action: { label: 'Change the settings', path: '/settings' },
    }
  })
  return failure === undefined ? others : [unwritable, ...others]
}

const maxPhonesNamed = 5

async function listSilentPhones(
  { messages }: AttentionContext,
  account: Account,
  { phones }: AttentionSources,
): Promise<AttentionItem[]> {
  const all = await phones
  const silent = all.filter(phone => phone.silent).sort((a, b) => b.lastSeenAt - a.lastSeenAt)
  const [last] = silent
  if (last === undefined) return []
  const isAlone = silent.length === all.length
  const { due } = isAlone ? await messages.getQueueDepth(account, maxCounted + 1) : { due: 0 }
  const shown = `${formatLimitedCount(due, maxCounted)} due ${due === 1 ? 'message' : 'messages'}`
  const waiting = due === 0 ? '' : ` ${shown} must wait.`
  const item = { icon: 'phone', tone: isAlone ? 'bad' : 'warn' } as const
  if (silent.length === 1) return [{ ...item, ...describeSilentPhone(last, waiting) }]
  return [
    {
      ...item,
      title: isAlone ? 'All phones are silent' : `${silent.length} phones are silent`,
      text: (
        <>
          {joinNames(silent)}. The last contact was <Time at={last.lastSeenAt} />.{waiting} Check
          that they run and can reach this relay.
        </>
      ),
      action: { label: 'View phones', path: '/phones', isView: true },
    },
  ]
}

function describeSilentPhone({ name, lastSeenAt }: PhoneView, waiting: string) {
  return {
    title: `Phone ${name} is silent`,
    text: (
      <>
        Its last contact was <Time at={lastSeenAt} />.{waiting} Check that it runs and can reach
        this relay.
      </>
    ),
    action: {
      ...{ label: 'View phone', path: `/phones/${encodeURIComponent(name)}` },
      isView: true,
    },
  } as const
}

function joinNames(phones: readonly PhoneView[]): string {
  const names = phones.slice(0, maxPhonesNamed).map(({ name }) => name)
  const others = phones.length - names.length
  return [...names, ...(others > 0 ? [`${others} more`] : [])].join(', ')
}

const pauseReasons = {
  request: 'on request',
  gone: 'because the receiver answered 410 Gone',
  exhausted: 'because all retries of an event failed',
} as const

async function listPausedSubscriptions({
  subscriptions,
}: AttentionSources): Promise<AttentionItem[]> {
  const all = await subscriptions
  return all.flatMap(each => (each.paused === undefined ? [] : [toPauseItem(each, each.paused)]))
}

function toPauseItem(
  { id, event, url }: Subscription,
  { at, reason }: NonNullable<Subscription['paused']>,
): AttentionItem {
  return {
    icon: 'hook',
    tone: reason === 'request' ? 'warn' : 'bad',
    title: `Webhooks of ${event} are paused`,
    text: (
      <>
        Paused <Time at={at} /> {pauseReasons[reason]}.
      </>
    ),
    step: {
      text:
        `New events for ${getHost(url)} wait until you resume. ` +
        'Check the receiver, then resume.',
      role: 'admin',
    },
    action: { label: 'Review and resume', path: `/subscriptions/${encodeURIComponent(id)}` },
  }
}

/** The host of a receiver, as the dashboard shows it; the rest of a URL may be secret. */
function getHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'its receiver'
}

/** Rule: as many messages must fail in an hour, and this many times as many as usual. */
const minBurst = 5
const burstFactor = 3

async function listFailureBursts({ hours: counted }: AttentionSources): Promise<AttentionItem[]> {
  const hours = await counted
  const recent = hours.slice(-2)
  const usual = average(hours.slice(0, -2))
  const worst = recent.reduce((a, b) => (b.failed > a.failed ? b : a))
  if (worst.failed < minBurst || worst.failed < burstFactor * usual) return []
  return [
    {
      icon: 'flag',
      tone: 'warn',
      title: `${worst.failed} messages failed within an hour (usually ${Math.round(usual)})`,
      text: (
        <>
          The hour began <Time at={worst.from} />. The messages show the reasons.
        </>
      ),
      step: { text: 'Send again those that are still needed.', role: 'sender' },
      action: { label: 'View messages', path: '/messages?filter=failed', isView: true },
    },
  ]
}

function average(spans: readonly CountedSpan[]): number {
  return spans.reduce((sum, { failed }) => sum + failed, 0) / Math.max(1, spans.length)
}

const maxUndecided = 100

/** At most once: a message without a report is locked, and a person decides. */
async function listUndecidedMessages(
  { messages }: AttentionContext,
  account: Account,
): Promise<AttentionItem[]> {
  if (account.mode !== 'at-most-once') return []
  const page = { filter: 'locked', start: 0, count: maxUndecided, order: 'desc' } as const
  const count = (await messages.list(account, page)).length
  if (count === 0) return []
  const most = count === maxUndecided ? ' or more' : ''
  return [
    {
      icon: 'lock',
      tone: 'held',
      title: `${count}${most} ${count === 1 ? 'message is' : 'messages are'} locked`,
      text: 'A phone took them and reported no result.',
      step: { text: 'Unlock them to send them, or cancel them.', role: 'sender' },
      action: { label: 'Review', path: '/messages?filter=locked', isView: true },
    },
  ]
}
