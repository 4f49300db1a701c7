import { curlLine } from '../../../contract/secret-url-address.js'
import { secretUrlCreate } from '../../../contract/secret-url-schema.js'
import { type Capability, isExpired } from '../../../domain/account/secret-url.js'
import { formatUseRate } from '../../../domain/account/usage-limit.js'
import { isRelayError } from '../../../errors.js'
import { capabilityDraft, secretAddress } from '../../api/secret-url-routes.js'
import type { AppParts } from '../../app.js'
import { param } from '../../http/exchange.js'
import type { CreatedCapability } from '../../services/messages/secret-url-service.js'
import { ActionsHead, Sure } from '../components/confirm-button.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { checked, errorsFrom, type FieldErrors } from '../page/field-errors.js'
import { type Answer, done, failed, type Pages, page, type Visit } from '../page/page.js'
import { UsedForms } from '../page/single-use-form.js'
import { readSecretUrlForm, SecretUrlForm } from './secret-url-form.js'

type Parts = Pick<AppParts, 'urls' | 'baseOf'>

const path = '/urls'

/** Secret URLs: those there are, a new one, and ending one. */
export function secretUrlPages(parts: Parts): Pages {
  const used = new UsedForms()
  return {
    [path]: {
      GET: async visit => await listPage(visit, parts),
      POST: async visit => await create(visit, parts, used),
    },
    [`${path}/:id/revoke`]: {
      POST: async visit => {
        try {
          await parts.urls.revoke(visit.account, param(visit.request, 'id'))
        } catch (error) {
          if (!isRelayError(error, 'not_found')) throw error
          return failed(path, 'There is no such secret URL; it may be revoked already.')
        }
        return done(path, 'The secret URL is revoked: nothing can be sent with it any more.')
      },
    },
  }
}

async function create(visit: Visit, parts: Parts, used: UsedForms): Promise<Answer> {
  const form = readSecretUrlForm(visit)
  if (form.errors !== undefined) return await listPage(visit, parts, form.errors)
  const draft = checked(secretUrlCreate, form.fields)
  if ('errors' in draft) return await listPage(visit, parts, draft.errors)
  try {
    const made = await used.once(visit, () =>
      parts.urls.create(visit.account, capabilityDraft(draft.data)),
    )
    if (made !== undefined) return madePage(visit, parts, made)
    const again = 'Revoke it if you did not copy it, and make another.'
    return failed(path, `This form made a secret URL already, which was shown once. ${again}`)
  } catch (error) {
    return await listPage(visit, parts, errorsFrom(error))
  }
}

/** Shows the address in the reply itself: it is in no cookie, in no history and on no other page. */
function madePage(visit: Visit, { baseOf }: Parts, made: CreatedCapability): Answer {
  const { capability, secret } = made
  const address = secretAddress(baseOf(visit.request), secret)
  const body = (
    <>
      <section class="once" aria-label="The secret URL">
        <p>
          <strong>Copy it now: it is not shown again.</strong> Whoever knows it can send what it
          allows.
        </p>
        <pre>{address}</pre>
        <p>Try it from a shell:</p>
        <pre>{curlLine(address, capability)}</pre>
      </section>
      <p>
        <a href={path}>To the secret URLs</a>
      </p>
    </>
  )
  const title = capability.name === undefined ? 'A new secret URL' : `Secret URL ${capability.name}`
  return page({ title, current: path, body })
}

async function listPage(visit: Visit, { urls }: Parts, errors?: FieldErrors): Promise<Answer> {
  const found = await urls.list(visit.account)
  const body = (
    <>
      <p>
        Whoever knows such an address can send texts with it, without a key: from a button, a form
        or another program.
      </p>
      <List urls={found.reverse()} now={urls.now()} csrf={visit.csrf} />
      <h2>A new secret URL</h2>
      <SecretUrlForm visit={visit} action={path} errors={errors} />
    </>
  )
  const status = errors === undefined ? 200 : 400
  return page({ title: 'Secret URLs', current: path, body, status })
}

function List(props: { urls: readonly Capability[]; now: number; csrf: string }): Html {
  const { urls, now, csrf } = props
  return (
    <Table
      caption="Secret URLs"
      head={['Name', 'To', 'Text', 'At most', 'Expires', 'Used', 'Last used', <ActionsHead />]}
      rows={urls.map(url => [
        url.name ?? '',
        url.destinations?.join(', ') ?? 'anyone',
        <span class="clip">{url.template ?? 'any'}</span>,
        url.rate === undefined ? '' : formatUseRate(url.rate),
        <Expiry url={url} now={now} />,
        String(url.uses?.count ?? 0),
        url.uses === undefined ? 'never' : <Time at={url.uses.lastAt} />,
        <Sure
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

function Expiry({ url, now }: { readonly url: Capability; readonly now: number }): Html {
  if (url.expiresAt === undefined) return <>never</>
  return (
    <>
      {isExpired(url, now) && <span class="badge failed">Expired</span>} <Time at={url.expiresAt} />
    </>
  )
}
