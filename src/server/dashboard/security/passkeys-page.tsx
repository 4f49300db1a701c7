import { maxPasskeyName } from '../../../domain/account/second-factor.js'
import { isRelayError } from '../../../errors.js'
import type { ServerContext } from '../../http/server-context.js'
import type { PasskeySite } from '../../services/sign-in/passkey-ceremonies.js'
import { Card, CardBody } from '../components/card.js'
import { PasskeyButton } from '../components/confirmation-fields.js'
import { Actions, ButtonLink, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { h } from '../components/html.js'
import { formatFormError } from '../page/field-errors.js'
import { getField, type PageRequest, type PageResult, type Pages, showPage } from '../page/page.js'
import {
  createSecretHandlers,
  hasConfirmed,
  type SecretContext,
  type SecretState,
  ShowSecretsCard,
} from '../page/shown-secrets.js'
import { getPasskeySite, secondFactorFieldNames } from '../session/second-factor-check.js'
import { showRecoveryCodes } from './recovery-codes.js'
import { passkeysPath, securityParent, securityPath } from './security-paths.js'

type Context = SecretContext & Pick<ServerContext, 'sessions'>

export const noSiteText =
  'Passkeys work only at an https address with a host name, or at http://localhost. They do not ' +
  'work at an IP address. To add one, open the dashboard at an address where they work.'

const newPath = `${passkeysPath}/new`

/**
 * Creates the page that adds a passkey, within ten minutes after the person has confirmed the
 * password and an earlier second factor.
 */
export function createPasskeyPages(context: Context): Pages {
  return {
    [newPath]: createSecretHandlers(context, async (request, state) => {
      const site = getPasskeySite(context, request.http)
      if (site === undefined) return showNoSitePage()
      if (!state.isShown) return showConfirmationPage(request, state)
      return showNewPage(context, request, site, 'My passkey')
    }),
    [passkeysPath]: { POST: async request => await addPasskey(context, request) },
  }
}

async function addPasskey(context: Context, request: PageRequest): Promise<PageResult> {
  const { caller, session } = request
  const site = getPasskeySite(context, request.http)
  if (site === undefined) return showNoSitePage()
  if (!(await hasConfirmed(context, request))) return { seeOther: newPath }
  const name = getField(request, 'name').trim()
  const challenge = getField(request, secondFactorFieldNames.challenge)
  const reply = getField(request, secondFactorFieldNames.passkey)
  try {
    const made = { challenge, reply, name }
    const codes = await context.passkeys.add(caller, session, site, made)
    // The other sessions were started with the password alone.
    if (codes.length > 0) await context.sessions.endOthers(caller)
    return showRecoveryCodes(codes, 'The passkey is added')
  } catch (error) {
    if (!isRelayError(error, 'invalid_parameter')) throw error
    return showNewPage(context, request, site, name, formatFormError(error))
  }
}

const page = { title: 'Add a passkey', current: securityPath, parent: securityParent }

function showNoSitePage(): PageResult {
  const body = (
    <Card label="Passkey">
      <CardBody>
        <p>{noSiteText}</p>
        <Actions>
          <ButtonLink href={securityPath} label="Back" />
        </Actions>
      </CardBody>
    </Card>
  )
  return showPage({ ...page, body })
}

function showConfirmationPage(request: PageRequest, state: SecretState): PageResult {
  const title = 'Confirm that it is you'
  const text = 'Then you can add passkeys for 10 minutes.'
  const body = <ShowSecretsCard request={request} label="Continue" {...{ title, state, text }} />
  return showPage({ ...page, body, status: state.status ?? 200 })
}

function showNewPage(
  { passkeys }: Context,
  { caller, session, csrf }: PageRequest,
  site: PasskeySite,
  name: string,
  error?: string,
): PageResult {
  const { challenge, options } = passkeys.askForNew(caller, session, site)
  const errors = error === undefined ? undefined : { '': error }
  const body = (
    <Card label="Passkey">
      <Form action={passkeysPath} csrf={csrf} errors={errors}>
        <p>
          {`The browser makes a passkey for ${site.host}: on this device, on your phone, in a ` +
            'password manager or on a security key.'}
        </p>
        <noscript>
          <p class="error">A passkey needs scripts, which are switched off in this browser.</p>
        </noscript>
        <TextField
          label="Name"
          name="name"
          value={name}
          maxlength={maxPasskeyName}
          required
          hint="Helps you recognize the passkey."
        />
        <input type="hidden" name={secondFactorFieldNames.challenge} value={challenge} />
        <PasskeyButton label="Make a passkey" use="create" options={options} />
        <Actions>
          <ButtonLink href={securityPath} label="Cancel" variant="bare" />
        </Actions>
      </Form>
    </Card>
  )
  return showPage({ ...page, body, status: error === undefined ? 200 : 400 })
}
