// Asks the browser for a passkey. A button with `data-passkey` says whether one is made (`create`)
// or used (`get`); `data-options` has the options, with base64url in place of bytes. The reply goes
// into the field `passkey` of the button's form, which is then sent.
function toBytes(text) {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/')
  return Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))
}

function toText(buffer) {
  const letters = Array.from(new Uint8Array(buffer), byte => String.fromCharCode(byte)).join('')
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function toDescriptors(list) {
  return list?.map(each => ({ ...each, id: toBytes(each.id) }))
}

function parseOptions({ user, allowCredentials, excludeCredentials, challenge, ...others }) {
  return {
    ...others,
    challenge: toBytes(challenge),
    ...(user && { user: { ...user, id: toBytes(user.id) } }),
    ...(allowCredentials && { allowCredentials: toDescriptors(allowCredentials) }),
    ...(excludeCredentials && { excludeCredentials: toDescriptors(excludeCredentials) }),
  }
}

function formatReply({ id, type, response }) {
  const names = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature']
  const parts = names.filter(name => response[name] instanceof ArrayBuffer)
  const bytes = Object.fromEntries(parts.map(name => [name, toText(response[name])]))
  const transports = response.getTransports?.()
  const clientExtensionResults = {}
  const reply = { ...bytes, ...(transports && { transports }) }
  return JSON.stringify({ id, rawId: id, type, clientExtensionResults, response: reply })
}

async function usePasskey(button) {
  const { form } = button
  const error = form.querySelector('[data-passkey-error]')
  error.hidden = true
  if (!form.reportValidity()) return
  const { passkey: use, options } = button.dataset
  try {
    const made = await navigator.credentials[use]({ publicKey: parseOptions(JSON.parse(options)) })
    form.elements.passkey.value = formatReply(made)
    form.requestSubmit()
  } catch ({ name }) {
    error.textContent =
      name === 'InvalidStateError'
        ? 'This device already has a passkey for you here.'
        : 'The browser did not use a passkey. Try again.'
    error.hidden = false
  }
}

for (const button of document.querySelectorAll('[data-passkey]')) {
  if (window.PublicKeyCredential === undefined) break
  button.hidden = false
  button.addEventListener('click', () => usePasskey(button))
}
