export const securityPath = '/settings/security'
export const authenticatorPath = `${securityPath}/authenticator`
export const passkeysPath = `${securityPath}/passkeys`
export const recoveryCodesPath = `${securityPath}/recovery-codes`
export const sessionsPath = `${securityPath}/sessions`

export const securityParent = { path: securityPath, label: 'Security' }
