import { Fragment, type Html, h } from '../components/html.js'

export function Brand({ isLink = true }: { readonly isLink?: boolean }): Html {
  return isLink ? (
    <a class="brand" href="/">
      <Sign />
    </a>
  ) : (
    <span class="brand">
      <Sign />
    </span>
  )
}

function Sign(): Html {
  return (
    <>
      <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
        <path class="body" d={bubble} />
        <path class="hop first" d="m7.75 7.25 3.5 3.5-3.5 3.5" />
        <path class="hop" d="m12.75 7.25 3.5 3.5-3.5 3.5" />
      </svg>
      <span>
        sms<strong>relay</strong>
      </span>
    </>
  )
}

const bubble =
  'M7 2.5h10A4.5 4.5 0 0 1 21.5 7v7.5A4.5 4.5 0 0 1 17 19h-5.5L6.5 23v-4A4.5 4.5 0 0 1 2.5 14.5V7' +
  'A4.5 4.5 0 0 1 7 2.5z'
