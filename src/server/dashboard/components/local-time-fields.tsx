import { listTimeZones } from '../../../domain/time/zoned-time.js'
import { Select, TextField } from './form-fields.js'
import { Fragment, type Html, h } from './html.js'

interface LocalTimeFieldsProps {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly hint: string
  readonly error?: string | undefined
  readonly zone: string
  readonly zoneHint?: string
  readonly detectZone: boolean
}

export function LocalTimeFields(props: LocalTimeFieldsProps): Html {
  const { label, name, value, hint, error, zone, zoneHint, detectZone } = props
  const zones = listTimeZones()
  return (
    <>
      <TextField {...{ label, name, value, hint, error }} type="datetime-local" />
      <Select
        label="Time zone"
        name="zone"
        value={zone}
        options={zone === '' || zones.includes(zone) ? zones : [zone, ...zones]}
        detectZone={detectZone}
        {...(zoneHint === undefined ? {} : { hint: zoneHint })}
      />
    </>
  )
}
