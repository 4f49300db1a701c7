import { getPhoneCondition } from '../../../domain/phone/phone-status.js'
import type { PhoneView } from '../../services/phones/phone-service.js'
import { ActionButton } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'

export interface PhoneTableProps {
  readonly phones: readonly PhoneView[]
  readonly due: number
  readonly csrf: string
}

export function PhoneTable({ phones, due, csrf }: PhoneTableProps): Html {
  const silent = phones.filter(phone => phone.silent)
  return (
    <>
      {silent.length > 0 && (
        <Notice kind="failed">
          {describeSilentPhones(silent)}{' '}
          {due > 0 && `${due === 1 ? '1 message is' : `${due} messages are`} due. `}
          You can remove a phone that is no longer in use.
        </Notice>
      )}
      <Table
        caption="Phones"
        head={['Phone', 'Driver', 'State', 'Last request', 'Last sent', 'Last failed']}
        rows={phones.map(phone => [
          phone.name,
          phone.driver,
          <ConditionCell phone={phone} csrf={csrf} />,
          <LastRequest phone={phone} />,
          <TimeOrNever at={phone.lastSuccessAt} />,
          <TimeOrNever at={phone.lastFailureAt} />,
        ])}
        empty="No phone has requested a message yet."
      />
    </>
  )
}

function describeSilentPhones(silent: readonly PhoneView[]): string {
  const shown = silent.slice(0, 3).map(({ name }) => name)
  const names = silent.length > 3 ? [...shown, `${silent.length - 3} more`] : shown
  return names.length === 1
    ? `The phone ${names[0]} has sent no request for five minutes or more. Check that it runs.`
    : `The phones ${names.join(', ')} have sent no request for five minutes or more. ` +
        'Check that they run.'
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
        label="Remove"
        variant="secondary"
        title={`Remove the phone ${phone.name}`}
      />
    </>
  )
}

/**
 * Last request of a phone in the overview. For a phone that is alive, the exact time would only
 * make the section change at every reload.
 */
function LastRequest({ phone }: { phone: PhoneView }): Html {
  return getPhoneCondition(phone) === 'alive' ? (
    <span>just now</span>
  ) : (
    <TimeOrNever at={phone.lastNextAt} />
  )
}

function TimeOrNever({ at }: { at: number | undefined }): Html {
  return at === undefined ? <span>never</span> : <Time at={at} />
}
