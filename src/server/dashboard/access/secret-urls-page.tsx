import { formatCurlCommand, formatSecretUrlAddress } from '../../../contract/secret-url-address.js'
import { secretUrlCreate } from '../../../contract/secret-url-schema.js'
import { isExpired, type SecretUrl } from '../../../domain/account/secret-url.js'
import { formatUsageLimit } from '../../../domain/account/usage-limit.js'
import { isRelayError } from '../../../errors.js'
import { getParam } from '../../http/exchange.js'
import { toSecretUrlDraft } from '../../http/secret-url-draft.js'
import type { ServerContext } from '../../http/server-context.js'
import type { CreatedSecretUrl } from '../../services/messages/secret-url-service.js'
import { ActionsHeader, ConfirmButton } from '../components/confirm-button.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { type FieldErrors, parseFields, toFieldErrors } from '../page/field-errors.js'
import {
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithError,
  redirectWithSuccess,
  showPage,
} from '../page/page.js'
import { SingleUseForms } from '../page/single-use-form.js'
import { parseSecretUrlForm, SecretUrlForm } from './secret-url-form.js'

type Context = Pick<ServerContext, 'secretUrls' | 'getBaseUrl'>

const path = '/urls'

/** Secret URLs: those there are, a new one, and ending one. */
export function createSecretUrlPages(context: Context): Pages {
  const used = new SingleUseForms()
  return {
    [path]: {
      GET: async request => await showListPage(request, context),
      POST: async request => await createSecretUrl(request, context, used),
    },
    [`${path}/:id/revoke`]: {
      POST: async request => {
        try {
          await context.secretUrls.revoke(request.account, getParam(request.http, 'id'))
        } catch (error) {
          if (!isRelayError(error, 'not_found')) throw error
          return redirectWithError(path, 'There is no such secret URL; it may be revoked already.')
        }
        return redirectWithSuccess(
          path,
          'The secret URL is revoked: nothing can be sent with it any more.',
        )
      },
    },
  }
}

async function createSecretUrl(
  request: PageRequest,
  context: Context,
  used: SingleUseForms,
): Promise<PageResult> {
  const form = parseSecretUrlForm(request)
  if (form.errors !== undefined) return await showListPage(request, context, form.errors)
  const draft = parseFields(secretUrlCreate, form.fields)
  if ('errors' in draft) return await showListPage(request, context, draft.errors)
  try {
    const made = await used.runOnce(request, () =>
      context.secretUrls.create(request.account, toSecretUrlDraft(draft.data)),
    )
    if (made !== undefined) return showCreatedPage(request, context, made)
    const again = 'Revoke it if you did not copy it, and make another.'
    return redirectWithError(
      path,
      `This form made a secret URL already, which was shown once. ${again}`,
    )
  } catch (error) {
    return await showListPage(request, context, toFieldErrors(error))
  }
}

/** Shows the address in the reply itself: it is in no cookie, in no history and on no other page. */
function showCreatedPage(
  request: PageRequest,
  { getBaseUrl }: Context,
  made: CreatedSecretUrl,
): PageResult {
  const { secretUrl: capability, secret } = made
  const address = formatSecretUrlAddress(getBaseUrl(request.http), secret)
  const body = (
    <>
      <section class="once" aria-label="The secret URL">
        <p>
          <strong>Copy it now: it is not shown again.</strong> Whoever knows it can send what it
          allows.
        </p>
        <pre>{address}</pre>
        <p>Try it from a shell:</p>
        <pre>{formatCurlCommand(address, capability)}</pre>
      </section>
      <p>
        <a href={path}>To the secret URLs</a>
      </p>
    </>
  )
  const title = capability.name === undefined ? 'A new secret URL' : `Secret URL ${capability.name}`
  return showPage({ title, current: path, body })
}

async function showListPage(
  request: PageRequest,
  { secretUrls }: Context,
  errors?: FieldErrors,
): Promise<PageResult> {
  const found = await secretUrls.list(request.account)
  const body = (
    <>
      <p>
        Whoever knows such an address can send texts with it, without a key: from a button, a form
        or another program.
      </p>
      <SecretUrlTable urls={found.reverse()} now={secretUrls.now()} csrf={request.csrf} />
      <h2>A new secret URL</h2>
      <SecretUrlForm request={request} action={path} errors={errors} />
    </>
  )
  const status = errors === undefined ? 200 : 400
  return showPage({ title: 'Secret URLs', current: path, body, status })
}

function SecretUrlTable(props: { urls: readonly SecretUrl[]; now: number; csrf: string }): Html {
  const { urls, now, csrf } = props
  return (
    <Table
      caption="Secret URLs"
      head={['Name', 'To', 'Text', 'At most', 'Expires', 'Used', 'Last used', <ActionsHeader />]}
      rows={urls.map(url => [
        url.name ?? '',
        url.destinations?.join(', ') ?? 'anyone',
        <span class="clip">{url.template ?? 'any'}</span>,
        url.rate === undefined ? '' : formatUsageLimit(url.rate),
        <Expiry url={url} now={now} />,
        String(url.uses?.count ?? 0),
        url.uses === undefined ? 'never' : <Time at={url.uses.lastAt} />,
        <ConfirmButton
          action={`${path}/${encodeURIComponent(url.id)}/revoke`}
          csrf={csrf}
          label="Revoke"
          target={url.name ?? url.id}
        />,
      ])}
      empty="There is no secret URL."
    />
  )
}

function Expiry({ url, now }: { readonly url: SecretUrl; readonly now: number }): Html {
  if (url.expiresAt === undefined) return <>never</>
  return (
    <>
      {isExpired(url, now) && <span class="badge failed">Expired</span>} <Time at={url.expiresAt} />
    </>
  )
}
