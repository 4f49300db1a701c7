import { getPhoneCondition } from '../../../domain/phone/phone-status.js'
import type { PhoneView } from '../../services/phones/phone-service.js'
import { ActionButton } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'

/** Properties of {@link PhoneTable}. */
export interface PhoneTableProps {
  readonly phones: readonly PhoneView[]
  /** Number of messages a phone would be given now. */
  readonly due: number
  readonly csrf: string
}

/** The phones of an account, and what to do about those that are silent. */
export function PhoneTable({ phones, due, csrf }: PhoneTableProps): Html {
  const silent = phones.filter(phone => phone.silent)
  return (
    <>
      {silent.length > 0 && (
        <Notice kind="failed">
          {describeSilentPhones(silent)} See whether it runs, reaches this service and tells it of
          its quiet hours.{' '}
          {due > 0 && `Meanwhile ${due === 1 ? '1 message is' : `${due} messages are`} due. `}
          If it is gone for good, forget it.
        </Notice>
      )}
      <Table
        caption="Phones"
        head={['Phone', 'Driver', 'State', 'Last asked', 'Last sent', 'Last failed']}
        rows={phones.map(phone => [
          phone.name,
          phone.driver,
          <ConditionCell phone={phone} csrf={csrf} />,
          <LastAsked phone={phone} />,
          <TimeOrNever at={phone.lastSuccessAt} />,
          <TimeOrNever at={phone.lastFailureAt} />,
        ])}
        empty="No phone has asked for a message yet."
      />
    </>
  )
}

function describeSilentPhones(silent: readonly PhoneView[]): string {
  const shown = silent.slice(0, 3).map(({ name }) => name)
  const names = silent.length > 3 ? [...shown, `${silent.length - 3} more`] : shown
  const which =
    names.length === 1 ? `The phone ${names[0]} has` : `The phones ${names.join(', ')} have`
  return `${which} given no sign of life for five minutes or more.`
}

function ConditionCell({ phone, csrf }: { phone: PhoneView; csrf: string }): Html {
  const condition = getPhoneCondition(phone)
  if (condition === 'alive') return <span class="badge sent">Alive</span>
  if (condition === 'waiting') return <span class="badge new">Waiting</span>
  if (condition === 'quiet') {
    return (
      <>
        <span class="badge new">Quiet</span> until <TimeOrNever at={phone.quietUntil} />
      </>
    )
  }
  return (
    <>
      <span class="badge failed">Silent</span>{' '}
      <ActionButton
        action={`/phones/${encodeURIComponent(phone.name)}/forget`}
        csrf={csrf}
        label="Forget"
        variant="secondary"
        title={`Forget the phone ${phone.name}`}
      />
    </>
  )
}

/** Of one that is alive the second does not matter, and would make the page change each time it is loaded. */
function LastAsked({ phone }: { phone: PhoneView }): Html {
  return getPhoneCondition(phone) === 'alive' ? (
    <span>just now</span>
  ) : (
    <TimeOrNever at={phone.lastNextAt} />
  )
}

function TimeOrNever({ at }: { at: number | undefined }): Html {
  return at === undefined ? <span>never</span> : <Time at={at} />
}
