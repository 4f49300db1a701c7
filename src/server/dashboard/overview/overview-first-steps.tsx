import { type Html, h } from '../components/html.js'

/** Properties of {@link FirstSteps}. */
export interface FirstStepsProps {
  /** Where the service is. */
  readonly base: string
  readonly hasMessages: boolean
  readonly hasPhones: boolean
}

/** What somebody does first: have a phone ask, and send a text. */
export function FirstSteps({ base, hasMessages, hasPhones }: FirstStepsProps): Html {
  return (
    <section class="steps" aria-labelledby="first-steps">
      <h2 id="first-steps">First steps</h2>
      <ol>
        {!hasPhones && (
          <li>
            Let this machine know the relay, with the keys of <a href="/settings/keys">your keys</a>
            :<pre>{`smsrelay login --url ${base}`}</pre>
            and start a phone. This one only pretends; <code>smsrelay phone --help</code> names the
            others.
            <pre>smsrelay phone --driver simulate</pre>
          </li>
        )}
        {!hasMessages && (
          <li>
            <a href="/send">Send a message</a>.
          </li>
        )}
      </ol>
    </section>
  )
}
