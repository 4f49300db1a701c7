// Pages about access to an account: who and what may send with it.
// `secret-urls-page.tsx` (this file) and `secret-url-form.tsx` list, create and revoke secret URLs.
// `mailboxes-page.tsx` and `mailbox-form.tsx` do the same for mailboxes.
// `keys-page.tsx` shows and replaces the keys of the account.
// A form that creates a secret is answered with the page that shows it.
import {
  formatCurlCommand,
  formatSecretUrlAddress,
} from '../../../contract/secret-url/secret-url-address.js'
import { secretUrlCreate } from '../../../contract/secret-url/secret-url-schema.js'
import { isExpired, type SecretUrl } from '../../../domain/account/secret-url.js'
import { formatUsageLimit } from '../../../domain/account/usage-limit.js'
import { getParam } from '../../http/route.js'
import { toSecretUrlDraft } from '../../http/secret-url-draft.js'
import type { ServerContext } from '../../http/server-context.js'
import type { CreatedSecretUrl } from '../../services/messages/secret-url-service.js'
import { Card, CardBody, Empty } from '../components/card.js'
import { ActionsHeader, ConfirmButton } from '../components/confirm-button.js'
import { Actions, ButtonLink, FormLink } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { createKeyedPage, Pagination, readPageKey } from '../components/pagination.js'
import { Pill } from '../components/pill.js'
import { Secret } from '../components/secret.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { createDeleteHandler } from '../forms/edit-frame.js'
import { type FieldErrors, parseFields, toFieldErrors } from '../page/field-errors.js'
import {
  getQueryField,
  type PageRequest,
  type PageResult,
  type Pages,
  showPage,
} from '../page/page.js'
import { parseSecretUrlForm, SecretUrlForm } from './secret-url-form.js'

type Context = Pick<ServerContext, 'secretUrls' | 'getBaseUrl'>

const path = '/urls'
const pageSize = 100

export function createSecretUrlPages(context: Context): Pages {
  return {
    [path]: {
      GET: async request => await showListPage(request, context),
      POST: async request => await createSecretUrl(request, context),
    },
    [`${path}/:id/revoke`]: {
      POST: createDeleteHandler(
        path,
        {
          done: 'The secret URL is revoked and cannot send any more.',
          gone: 'There is no such secret URL. It may already be revoked.',
        },
        async ({ account, http }) => await context.secretUrls.revoke(account, getParam(http, 'id')),
      ),
    },
  }
}

async function createSecretUrl(request: PageRequest, context: Context): Promise<PageResult> {
  const form = parseSecretUrlForm(request)
  if (form.errors !== undefined) return await showListPage(request, context, form.errors)
  const draft = parseFields(secretUrlCreate, form.fields)
  if ('errors' in draft) return await showListPage(request, context, draft.errors)
  try {
    const draftFields = toSecretUrlDraft(draft.data)
    const created = await context.secretUrls.create(request.account, draftFields)
    return showCreatedPage(request, context, created)
  } catch (error) {
    return await showListPage(request, context, toFieldErrors(error))
  }
}

function showCreatedPage(
  request: PageRequest,
  { getBaseUrl }: Context,
  created: CreatedSecretUrl,
): PageResult {
  const { secretUrl, secret } = created
  const address = formatSecretUrlAddress(getBaseUrl(request.http), secret)
  const body = (
    <Card title="The secret URL" id="once" isOnce>
      <CardBody>
        <p>
          <strong>Copy the secret URL now. This page is shown for ten minutes.</strong> Anyone who
          knows it can send the texts that it allows.
        </p>
        <Secret id="secret-url" label="Secret URL" value={address} />
        <Secret
          id="secret-url-command"
          label="Try it in a shell"
          value={formatCurlCommand(address, secretUrl)}
        />
        <Actions>
          <ButtonLink href={path} label="Back to the secret URLs" />
        </Actions>
      </CardBody>
    </Card>
  )
  const title = secretUrl.name === undefined ? 'New secret URL' : `Secret URL ${secretUrl.name}`
  return showPage({ title, current: path, parent: { path, label: 'Secret URLs' }, body })
}

async function showListPage(
  request: PageRequest,
  { secretUrls }: Context,
  errors?: FieldErrors,
): Promise<PageResult> {
  const after = readPageKey(getQueryField(request, 'after'))
  const query = { count: pageSize + 1, after, order: 'desc' } as const
  const found = await secretUrls.getPage(request.account, query)
  const { items, ...links } = createKeyedPage(found, { after, pageSize })
  const body = (
    <>
      <Card label="Secret URLs">
        <SecretUrlTable urls={items} now={secretUrls.now()} csrf={request.csrf} />
        <Pagination label="Pages of secret URLs" path={path} previousLabel="Newest" {...links} />
      </Card>
      <Card title="New secret URL">
        <SecretUrlForm request={request} action={path} errors={errors} />
      </Card>
    </>
  )
  const lead =
    'Anyone who knows a secret URL can send texts with it, without a key: from a button, a form ' +
    'or another program.'
  const status = errors === undefined ? 200 : 400
  const actions = <FormLink id="new-secret-url" label="New secret URL" />
  return showPage({ title: 'Secret URLs', current: path, lead, actions, body, status })
}

function SecretUrlTable(props: { urls: readonly SecretUrl[]; now: number; csrf: string }): Html {
  const { urls, now, csrf } = props
  return (
    <Table
      caption="Secret URLs"
      head={['Name', 'To', 'Text', 'Limit', 'Expires', 'Used', 'Last used', <ActionsHeader />]}
      rows={urls.map(url => [
        url.name ?? 'Without a name',
        url.destinations?.join(', ') ?? 'any number',
        url.template === undefined ? 'any' : <span class="text">{url.template}</span>,
        [
          ...(url.rate === undefined ? [] : [formatUsageLimit(url.rate)]),
          ...(url.length === undefined ? [] : [`${url.length} characters`]),
        ].join(', '),
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
      empty={
        <Empty icon="link" title="No secret URLs yet">
          Create one below. Its address is shown for ten minutes.
        </Empty>
      }
    />
  )
}

function Expiry({ url, now }: { readonly url: SecretUrl; readonly now: number }): Html {
  if (url.expiresAt === undefined) return <>never</>
  return (
    <>
      {isExpired(url, now) && (
        <Pill tone="bad" icon="cross">
          Expired
        </Pill>
      )}{' '}
      <Time at={url.expiresAt} />
    </>
  )
}
