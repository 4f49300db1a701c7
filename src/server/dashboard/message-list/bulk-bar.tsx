import type { BulkAction } from '../../../domain/message/bulk-action.js'
import { Form } from '../components/form.js'
import { type Child, type Html, h } from '../components/html.js'
import { Icon, type IconName } from '../components/icons.js'
import { type ListQuery, QueryFields } from './message-list-query.js'

export const bulkPath = '/messages/bulk'

/** What the names of the dashboard's checkboxes begin with, before the id of the message. */
export const selectionPrefix = 'm-'

/** Messages that one action changes at most. */
export const maxBulkMessages = 5000

const buttons: readonly (readonly [action: BulkAction, label: string, icon: IconName])[] = [
  ['retry', 'Retry now', 'retry'],
  ['again', 'Send again', 'send'],
  ['lock', 'Lock', 'lock'],
  ['unlock', 'Unlock', 'lock'],
  ['cancel', 'Cancel', 'cross'],
  ['delete', 'Delete', 'minus'],
]

/**
 * A form around the list of messages with actions for the selected ones. Styles show the actions
 * and count the selection, without a script.
 */
export function BulkForm(props: {
  readonly csrf: string
  readonly query: ListQuery
  /** Number of messages that the query matches, if it is known. */
  readonly total: string | undefined
  readonly children?: Child
}): Html {
  return (
    <Form action={bulkPath} csrf={props.csrf} class="bulk-form" label="Actions for messages">
      <QueryFields query={props.query} />
      {props.children}
      <div class="bulk">
        <span class="ticked">selected</span>
        {buttons.map(([action, label, icon]) => (
          <button
            type="submit"
            class={action === 'delete' || action === 'cancel' ? 'btn danger' : 'btn'}
            name="do"
            value={action}
          >
            <Icon name={icon} />
            {label}
          </button>
        ))}
        <label class="tick all">
          <input type="checkbox" name="all" value="true" />
          {props.total === undefined ? 'All matching' : `All ${props.total} matching`}
        </label>
      </div>
    </Form>
  )
}
