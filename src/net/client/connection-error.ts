const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name lookup failed',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
  ETIMEDOUT: 'no answer in time',
  ECONNRESET: 'the connection was closed',
}

/** What helps if a client does not accept the certificate of a server. */
const certificateHint =
  'Check the address. If the certificate is of an authority of your own, set ' +
  'NODE_EXTRA_CA_CERTS to the file with its certificate.'

/** What to do about a certificate, by the code with which Node rejects it. */
const certificateHints: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'Renew the certificate of the server.',
  CERT_NOT_YET_VALID: 'Check the clock of this machine, and the certificate of the server.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Name the host in the URL as in the certificate of the server.',
}

/** @param authority what helps a client that does not know the authority of the certificate */
export function getCertificateHint(code: string, authority = certificateHint): string {
  return certificateHints[code] ?? authority
}

/** Explains the code of a connection's error, such as `ECONNREFUSED`; undefined if unknown. */
export function explainConnectionError(code: string): string | undefined {
  if (isCertificateError(code)) return `its certificate is invalid (${code})`
  return reasons[code]
}

export function isCertificateError(code: string): boolean {
  return /CERT|SIGNATURE|ISSUER|ALTNAME|SELF_SIGNED/.test(code)
}
