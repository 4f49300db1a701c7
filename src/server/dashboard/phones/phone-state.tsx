import { getPhoneCondition, type PhoneCondition } from '../../../domain/phone/phone-status.js'
import type { PhoneView } from '../../services/phones/phone-service.js'
import { Fragment, type Html, h } from '../components/html.js'
import type { IconName } from '../components/icons.js'
import { Pill, type Tone } from '../components/pill.js'
import { Time } from '../components/time.js'

const looks = {
  alive: ['Alive', 'good', 'check'],
  quiet: ['Quiet', 'busy', 'pause'],
  waiting: ['Waiting', 'busy', 'clock'],
  silent: ['Silent', 'bad', 'cross'],
} as const satisfies Record<PhoneCondition, readonly [string, Tone, IconName]>

export function PhonePill({ phone }: { readonly phone: PhoneView }): Html {
  const [word, tone, icon] = looks[getPhoneCondition(phone)]
  return (
    <Pill tone={tone} icon={icon}>
      {word}
    </Pill>
  )
}

export function TimeOrNever({ at }: { readonly at: number | undefined }): Html {
  return at === undefined ? <>never</> : <Time at={at} />
}

/**
 * The last contact of a phone. For a phone that is alive, the exact time would only make the page
 * change at every update.
 */
export function LastContact({ phone }: { readonly phone: PhoneView }): Html {
  const condition = getPhoneCondition(phone)
  if (condition === 'alive') return <>just now</>
  if (condition === 'quiet' && phone.quietUntil !== undefined)
    return (
      <>
        quiet until <Time at={phone.quietUntil} />
      </>
    )
  return <Time at={phone.lastSeenAt} />
}
