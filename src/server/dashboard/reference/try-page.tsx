import { type Html, h, renderDocument } from '../components/html.js'

/** Scripts and styles of the page on which people send requests of the API. */
export const tryFileNames = ['swagger-ui.css', 'swagger-ui.js', 'try.js', 'icon.svg'] as const

/**
 * Renders the page with Swagger UI (Apache-2.0), for a token of the user. It has none of the
 * dashboard's styles, which would change those of Swagger UI.
 */
export function renderTryPage(
  paths: Readonly<Record<(typeof tryFileNames)[number], string>>,
): string {
  return renderDocument(<TryPage paths={paths} />)
}

function TryPage({ paths }: { paths: Parameters<typeof renderTryPage>[0] }): Html {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Try the API · smsrelay</title>
        <link rel="icon" href={paths['icon.svg']} type="image/svg+xml" />
        <link rel="stylesheet" href={paths['swagger-ui.css']} />
        <script src={paths['swagger-ui.js']} defer />
        <script src={paths['try.js']} defer />
      </head>
      <body>
        <main class="swagger-ui">
          <div class="wrapper">
            <p>
              <a href="/docs">The API</a>
            </p>
            <p>
              Get a token with <code>GET /oauth</code> (Tokens), and enter it under Authorize.
              Requests change your account: a message that you create is sent.
            </p>
          </div>
          <div id="swagger" />
          <noscript>
            <div class="wrapper">
              <p>This page needs scripts; the page about the API does not.</p>
            </div>
          </noscript>
        </main>
      </body>
    </html>
  )
}
