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
export function createSecretUrlPages(parts: Context): Pages {
  const used = new SingleUseForms()
  return {
    [path]: {
      GET: async visit => await showListPage(visit, parts),
      POST: async visit => await createSecretUrl(visit, parts, used),
    },
    [`${path}/:id/revoke`]: {
      POST: async visit => {
        try {
          await parts.secretUrls.revoke(visit.account, getParam(visit.request, 'id'))
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
  visit: PageRequest,
  parts: Context,
  used: SingleUseForms,
): Promise<PageResult> {
  const form = parseSecretUrlForm(visit)
  if (form.errors !== undefined) return await showListPage(visit, parts, form.errors)
  const draft = parseFields(secretUrlCreate, form.fields)
  if ('errors' in draft) return await showListPage(visit, parts, draft.errors)
  try {
    const made = await used.runOnce(visit, () =>
      parts.secretUrls.create(visit.account, toSecretUrlDraft(draft.data)),
    )
    if (made !== undefined) return showCreatedPage(visit, parts, made)
    const again = 'Revoke it if you did not copy it, and make another.'
    return redirectWithError(
      path,
      `This form made a secret URL already, which was shown once. ${again}`,
    )
  } catch (error) {
    return await showListPage(visit, parts, toFieldErrors(error))
  }
}

/** Shows the address in the reply itself: it is in no cookie, in no history and on no other page. */
function showCreatedPage(
  visit: PageRequest,
  { getBaseUrl: baseOf }: Context,
  made: CreatedSecretUrl,
): PageResult {
  const { secretUrl: capability, secret } = made
  const address = formatSecretUrlAddress(baseOf(visit.request), secret)
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
  visit: PageRequest,
  { secretUrls: urls }: Context,
  errors?: FieldErrors,
): Promise<PageResult> {
  const found = await urls.list(visit.account)
  const body = (
    <>
      <p>
        Whoever knows such an address can send texts with it, without a key: from a button, a form
        or another program.
      </p>
      <SecretUrlTable urls={found.reverse()} now={urls.now()} csrf={visit.csrf} />
      <h2>A new secret URL</h2>
      <SecretUrlForm visit={visit} action={path} errors={errors} />
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
          what={url.name ?? url.id}
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
