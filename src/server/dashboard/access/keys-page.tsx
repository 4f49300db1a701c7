import type { ServerContext } from '../../http/server-context.js'
import { type KeyName, keyKinds } from '../accounts/account-keys.js'
import { settingsPath } from '../accounts/settings-page.js'
import { ActionButton } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Secret } from '../components/secret.js'
import { Time } from '../components/time.js'
import { type PageRequest, type PageResult, type Pages, showPage } from '../page/page.js'

/** Where the keys are. */
export const keysPath = '/settings/keys'

/** The keys of an account: told only when they are asked for. */
export function createKeysPages({ signingSecrets }: Pick<ServerContext, 'signingSecrets'>): Pages {
  return {
    [keysPath]: {
      GET: async request => showKeysPage(request),
      POST: async request => {
        const { secretKey: secret, appKey: app } = request.account
        return showKeysPage(request, {
          secret,
          app,
          hook: await signingSecrets.get(request.account),
        })
      },
    },
  }
}

type ShownKeys = Partial<Readonly<Record<KeyName, string>>>

function showKeysPage(request: PageRequest, shown?: ShownKeys): PageResult {
  const body = (
    <>
      {shown === undefined ? (
        <ActionButton action={keysPath} csrf={request.csrf} label="Show the keys" />
      ) : (
        <a href={keysPath}>Hide the keys</a>
      )}
      {keyKinds.map(kind => (
        <section aria-label={kind.label}>
          <h2>{kind.label}</h2>
          <p>{kind.use}</p>
          <KeyValue name={kind.name} label={kind.label} value={shown?.[kind.name]} />
          {kind.name === 'hook' && <PreviousSecrets request={request} />}
          <p>
            <a href={`${keysPath}/${kind.name}`} aria-label={`Replace it: ${kind.label}`}>
              Replace it
            </a>
          </p>
        </section>
      ))}
    </>
  )
  return showPage({ title: 'Keys', current: settingsPath, body })
}

function KeyValue(props: { name: KeyName; label: string; value: string | undefined }): Html {
  const { name, label, value } = props
  if (value !== undefined) return <Secret id={`${name}-key`} label={label} value={value} />
  return <p class="empty">{name === 'api' ? 'Not kept in the clear.' : '••••••••••••'}</p>
}

/** Replaced hook secrets that sign beside it for a while. */
function PreviousSecrets({ request: { account, now } }: { request: PageRequest }): Html {
  const former = (account.formerHookSecrets ?? []).filter(({ until }) => until > now)
  return (
    <>
      {former.map(({ until }) => (
        <p>
          One that was replaced signs beside it until <Time at={until} />.
        </p>
      ))}
    </>
  )
}
