// Pages about the security of the person who is signed in.
// - security-page: the second factor, and the sessions
// - authenticator-page: sets up an authenticator app, by a QR code
// - passkeys-page: adds a passkey
// - recovery-codes: shows new recovery codes, once
// - sessions-card: the list of sessions
// Each change is confirmed with the password, and with the second factor of somebody who has one.
import type { Passkey, SecondFactor } from '../../../domain/account/second-factor.js'
import { RelayError } from '../../../errors.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import { getSecondFactor } from '../../services/accounts/change-second-factor.js'
import { Card, CardBody } from '../components/card.js'
import { ActionsHeader } from '../components/confirm-button.js'
import { Actions, ButtonLink } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Pill } from '../components/pill.js'
import { Facts, Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { type ConfirmedAction, createConfirmedHandlers } from '../page/confirmed-action.js'
import {
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithSuccess,
  showPage,
} from '../page/page.js'
import type { SecretContext } from '../page/shown-secrets.js'
import { getPasskeySite } from '../session/second-factor-check.js'
import { createAuthenticatorPages } from './authenticator-page.js'
import { createPasskeyPages, noSiteText } from './passkeys-page.js'
import { showRecoveryCodes } from './recovery-codes.js'
import {
  authenticatorPath,
  passkeysPath,
  recoveryCodesPath,
  securityParent,
  securityPath,
} from './security-paths.js'
import { createSessionPages, maxSessionsShown, SessionsCard } from './sessions-card.js'

type Context = SecretContext & Pick<ServerContext, 'sessions' | 'isSecure'>

export function createSecurityPages(context: Context): Pages {
  const confirm = (describe: (context: Context, request: PageRequest) => ConfirmedAction) =>
    createConfirmedHandlers(context, async request => describe(context, request))
  return {
    [securityPath]: { GET: async request => await showSecurityPage(context, request) },
    [`${authenticatorPath}/remove`]: confirm(describeAppRemoval),
    [`${passkeysPath}/:id/remove`]: confirm(describePasskeyRemoval),
    [recoveryCodesPath]: confirm(describeNewCodes),
    ...createAuthenticatorPages(context),
    ...createPasskeyPages(context),
    ...createSessionPages(context),
  }
}

function describeAppRemoval({ secondFactors }: Context, request: PageRequest): ConfirmedAction {
  assertFound(getSecondFactor(request.caller)?.totp)
  return {
    ...describeChange(request),
    title: 'Remove the authenticator app',
    label: 'Remove',
    consequence: `Its codes will not work any more. ${describeRest(request, { totp: true })}`,
    run: async () => {
      await secondFactors.removeTotp(request.caller)
      return redirectWithSuccess(securityPath, 'The authenticator app is removed.')
    },
  }
}

function describePasskeyRemoval({ secondFactors }: Context, request: PageRequest): ConfirmedAction {
  const id = getParam(request.http, 'id')
  const { passkeys = [] } = getSecondFactor(request.caller) ?? {}
  const { name } = assertFound(passkeys.find(each => each.id === id))
  return {
    ...describeChange(request),
    title: `Remove the passkey ${name}`,
    label: 'Remove',
    consequence: `It will not work any more. ${describeRest(request, { passkey: id })}`,
    run: async () => {
      await secondFactors.removePasskey(request.caller, id)
      return redirectWithSuccess(securityPath, 'The passkey is removed.')
    },
  }
}

function describeNewCodes({ secondFactors }: Context, request: PageRequest): ConfirmedAction {
  assertFound(getSecondFactor(request.caller))
  return {
    ...describeChange(request),
    title: 'New recovery codes',
    label: 'Create',
    consequence: 'You get ten new codes. The codes that you have now will not work any more.',
    run: async () => {
      const codes = await secondFactors.replaceRecoveryCodes(request.caller)
      return showRecoveryCodes(codes, 'The recovery codes are replaced')
    },
  }
}

/** The version of a confirmation page changes with each change of the second factor. */
function describeChange({
  caller,
}: PageRequest): Pick<ConfirmedAction, 'version' | 'parent' | 'current'> {
  const { totp, passkeys = [], recoveryCodes = [] } = getSecondFactor(caller) ?? {}
  const [first = ''] = recoveryCodes
  const version = [totp?.createdAt ?? 0, ...passkeys.map(({ id }) => id), first].join(' ')
  return { version, parent: securityParent, current: securityPath }
}

function assertFound<T>(found: T | undefined): T {
  if (found !== undefined) return found
  throw new RelayError('not_found', 'Your second factor has no such part any more.')
}

function describeRest(
  { caller }: PageRequest,
  removed: { readonly totp?: true; readonly passkey?: string },
): string {
  const { totp, passkeys = [] } = getSecondFactor(caller) ?? {}
  const hasApp = totp !== undefined && removed.totp !== true
  const isLast = !hasApp && passkeys.every(({ id }) => id === removed.passkey)
  return isLast
    ? 'The second factor is then off: your password alone signs you in.'
    : 'The second factor stays on.'
}

async function showSecurityPage(context: Context, request: PageRequest): Promise<PageResult> {
  const factor = getSecondFactor(request.caller)
  const sessions = await context.sessions.list(request.caller, maxSessionsShown)
  const hasSite = getPasskeySite(context, request.http) !== undefined
  const body = (
    <>
      <SecondFactorCard factor={factor} />
      <PasskeysCard passkeys={factor?.passkeys ?? []} hasSite={hasSite} />
      <SessionsCard {...sessions} csrf={request.csrf} />
    </>
  )
  const lead = 'How you sign in, and where you are signed in.'
  return showPage({ title: 'Security', current: securityPath, lead, body })
}

function SecondFactorCard({ factor }: { readonly factor: SecondFactor | undefined }): Html {
  const state = (
    <Pill tone={factor ? 'good' : 'idle'} icon={factor ? 'check' : 'minus'}>
      {factor ? 'On' : 'Off'}
    </Pill>
  )
  return (
    <Card title="Second factor" aside={state}>
      <CardBody>
        {factor === undefined && (
          <p>
            With a second factor, your password alone is not enough to sign in. Set up an
            authenticator app on your phone, or add a passkey.
          </p>
        )}
        <Facts items={listFactors(factor)} />
      </CardBody>
    </Card>
  )
}

function listFactors(factor: SecondFactor | undefined): (readonly [string, Html])[] {
  const { totp, recoveryCodes = [] } = factor ?? {}
  return [
    [
      'Authenticator app',
      totp === undefined ? (
        <ButtonLink href={authenticatorPath} label="Set up" variant="primary" />
      ) : (
        <Actions>
          Set up <Time at={totp.createdAt} />
          <ButtonLink href={authenticatorPath} label="Replace" />
          <ButtonLink href={`${authenticatorPath}/remove`} label="Remove" />
        </Actions>
      ),
    ],
    ...(factor === undefined
      ? []
      : ([
          [
            'Recovery codes',
            <Actions>
              {`${recoveryCodes.length} left`}
              <ButtonLink href={recoveryCodesPath} label="New codes" />
            </Actions>,
          ],
        ] as const)),
  ]
}

function PasskeysCard(props: { readonly passkeys: readonly Passkey[]; hasSite: boolean }): Html {
  const { passkeys, hasSite } = props
  return (
    <Card title="Passkeys">
      <Table
        caption="Passkeys"
        head={['Name', 'Works at', 'Added', 'Last used', <ActionsHeader />]}
        rows={passkeys.map(({ id, name, host, createdAt, usedAt }) => [
          name,
          host,
          <Time at={createdAt} />,
          usedAt === undefined ? 'never' : <Time at={usedAt} />,
          <ButtonLink
            href={`${passkeysPath}/${id}/remove`}
            label="Remove"
            title={`Remove the passkey ${name}`}
          />,
        ])}
        empty="You have no passkeys."
      />
      <CardBody>
        {hasSite ? (
          <Actions>
            <ButtonLink href={`${passkeysPath}/new`} label="Add a passkey" icon="plus" />
          </Actions>
        ) : (
          <p class="quiet">{noSiteText}</p>
        )}
      </CardBody>
    </Card>
  )
}
