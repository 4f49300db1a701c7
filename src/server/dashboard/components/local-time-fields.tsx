import { listTimeZones } from '../../../domain/time/zoned-time.js'
import { Select, TextField } from './form-fields.js'
import { Fragment, type Html, h } from './html.js'

interface LocalTimeFieldsProps {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly hint: string
  readonly error?: string | undefined
  /** The zone the time is in, sent as `zone`. */
  readonly zone: string
  readonly zoneHint?: string
  /** Whether the script may choose the reader's own zone. */
  readonly ownZone: boolean
}

/** A time by the clock of a zone, and that zone; what it means is `parseLocalTime` of both. */
export function LocalTimeFields(props: LocalTimeFieldsProps): Html {
  const { label, name, value, hint, error, zone, zoneHint, ownZone } = props
  return (
    <>
      <TextField {...{ label, name, value, hint, error }} type="datetime-local" />
      <Select
        label="Time zone"
        name="zone"
        value={zone}
        options={listTimeZones()}
        ownZone={ownZone}
        {...(zoneHint === undefined ? {} : { hint: zoneHint })}
      />
    </>
  )
}
