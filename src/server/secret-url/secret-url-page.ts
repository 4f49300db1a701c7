import { hash } from 'node:crypto'
import type { TemplateField } from '../../domain/bulk/text-template.js'
import type { HttpResponse } from '../../net/server/http-response.js'
import { formatPermissionsPolicy } from '../http/permissions-policy.js'

export interface PageQuestion extends TemplateField {
  readonly value: string
}

const style =
  ':root{color-scheme:light dark}' +
  'body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:3rem auto;padding:0 1rem}' +
  'label{display:block;margin:1rem 0}' +
  'input,textarea,button{display:block;box-sizing:border-box;width:100%;font:inherit;' +
  'padding:.5rem;margin:.25rem 0}'

/**
 * Renders the page of a secret URL with the missing fields and a button that sends the message.
 * @param key idempotency key, so that two clicks send once
 */
export function renderConfirmPage(questions: readonly PageQuestion[], key: string): string {
  return renderPage(
    'Send a text message',
    `<p>Press the button to send the text message.</p>
<form method="post" action="?key=${encodeURIComponent(key)}">
${questions.map(renderQuestion).join('\n')}
<button>Send</button>
</form>`,
  )
}

export function renderAcceptedPage(isBlocked: boolean, warnings: readonly string[]): string {
  const notes = warnings.map(each => `<p>${escapeHtml(each)}</p>`).join('\n')
  return isBlocked
    ? renderPage('Not sent', '<p>The number is on the Do Not Text list.</p>')
    : renderPage('Accepted', `<p>The text message was accepted. A phone will send it.</p>${notes}`)
}

/** Sends a secret URL's page that runs no scripts and that no other site can show in a frame. */
export function sendPage(response: HttpResponse, html: string): void {
  const allowed = `'sha256-${hash('sha256', style, 'base64')}'`
  const fields = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy':
      `default-src 'none'; style-src ${allowed}; form-action 'self'; ` +
      `frame-ancestors 'none'; base-uri 'none'`,
    'Permissions-Policy': formatPermissionsPolicy(),
  }
  response.send(200, fields, html)
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, found => `&#${found.charCodeAt(0)};`)
}

function renderQuestion({ name, value, isRequired }: PageQuestion): string {
  const label = escapeHtml(labels[name] ?? name)
  const attributes = `name="${escapeHtml(name)}"${isRequired ? ' required' : ''}`
  // On a secret URL's page a browser drops the first line break in a textarea.
  const field =
    name === 'message'
      ? `<textarea ${attributes} rows="4">\n${escapeHtml(value)}</textarea>`
      : `<input ${attributes} value="${escapeHtml(value)}">`
  return `<label>${label}${field}</label>`
}

const labels: Readonly<Record<string, string>> = { destination: 'Phone number', message: 'Text' }

function renderPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`
}
