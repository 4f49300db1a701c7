import { limits } from '../../../domain/limits.js'
import { countSmsParts } from '../../../domain/sms/sms-parts.js'
import { pluralize } from '../../../util/text/plural.js'
import { TextArea, TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { LocalTimeFields } from '../components/local-time-fields.js'
import type { MessageFormErrors, MessageFormInput } from './message-form.js'

/** Properties of {@link MessageFields}. */
export interface MessageFieldsProps {
  readonly form: MessageFormInput
  readonly errors: MessageFormErrors | undefined
  /** Whether there may be many numbers. */
  readonly many: boolean
  /** Whether the time zone is first that of the browser, where scripts run. */
  readonly detectZone: boolean
}

/** The fields of a message: numbers, text with its length, and when to send it. */
export function MessageFields({ form, errors, many, detectZone }: MessageFieldsProps): Html {
  const hint = 'In international form, such as +12025550123.'
  return (
    <>
      {many ? (
        <TextArea
          label="To"
          name="destination"
          value={form.destination}
          rows={2}
          required
          hint={`One or many numbers, one a line or with commas. ${hint}`}
          error={errors?.destination}
        />
      ) : (
        <TextField
          label="To"
          name="destination"
          type="tel"
          value={form.destination}
          required
          hint={hint}
          error={errors?.destination}
        />
      )}
      <div
        hx-post="/send/length"
        hx-trigger="input changed delay:200ms from:find textarea"
        hx-target="#length"
        hx-swap="outerHTML"
        hx-sync="this:replace"
      >
        <TextArea
          label="Message"
          name="message"
          value={form.message}
          required
          hint={`At most ${limits.text} characters. A part has 160 characters, or 70 where one is outside of the GSM alphabet.`}
          error={errors?.message}
        />
        <TextLength text={form.message} />
      </div>
      <div class="when">
        <LocalTimeFields
          label="Send on"
          name="send_on"
          value={form.sendOn}
          hint="Leave it empty to send at once."
          error={errors?.sendOn}
          zone={form.zone}
          zoneHint="The zone that time is in."
          detectZone={detectZone}
        />
      </div>
    </>
  )
}

/** How long a text is, in characters and in parts. */
export function TextLength({ text }: { readonly text: string }): Html {
  return (
    <output id="length" for="message" aria-live="polite">
      {text === '' ? '' : formatTextLength(text)}
    </output>
  )
}

/** The length of a text in words: characters (code points), parts, and the alphabet it needs. */
export function formatTextLength(text: string): string {
  const { alphabet, parts } = countSmsParts(text)
  const characters = [...text].length
  return `${pluralize(characters, 'character')}, ${pluralize(parts, 'part')} in ${alphabet}`
}
