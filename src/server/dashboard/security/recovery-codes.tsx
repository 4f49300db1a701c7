import { Card, CardBody } from '../components/card.js'
import { Actions, ButtonLink } from '../components/form.js'
import { h } from '../components/html.js'
import { Secret } from '../components/secret.js'
import { type PageResult, redirectWithSuccess, showPage } from '../page/page.js'
import { securityParent, securityPath } from './security-paths.js'

export function showRecoveryCodes(codes: readonly string[], done: string): PageResult {
  if (codes.length === 0) return redirectWithSuccess(securityPath, `${done}.`)
  const body = (
    <Card title="Keep these recovery codes" isOnce>
      <CardBody>
        <p>
          <strong>This page shows them for 10 minutes.</strong> Each signs you in once, in place of
          a code or a passkey. Print them, or keep them in a password manager, not on the phone with
          the authenticator app.
        </p>
        <Secret id="recovery-codes" label="Recovery codes" value={codes.join('\n')} />
        <Actions>
          <ButtonLink href={securityPath} label="I have kept them" variant="primary" />
        </Actions>
      </CardBody>
    </Card>
  )
  return showPage({ title: done, current: securityPath, parent: securityParent, body })
}
