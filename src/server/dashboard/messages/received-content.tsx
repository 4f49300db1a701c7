import { describeReceived } from '../../../domain/phone/received-mms.js'
import type { ReceivedText } from '../../../domain/phone/received-text.js'
import { Fragment, type Html, h } from '../components/html.js'

/** The words of a received text, with links to the pictures of an MMS. */
export function ReceivedContent({ received }: { readonly received: ReceivedText }): Html {
  const { media = [], subject } = received
  return (
    <>
      {media.length > 0 && subject !== undefined && `${subject}: `}
      {describeReceived(received)}
      {media.map((address, index) => (
        <>
          {' '}
          <a href={address} rel="noreferrer noopener">{`Picture ${index + 1}`}</a>
        </>
      ))}
    </>
  )
}
