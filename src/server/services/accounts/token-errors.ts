import { RelayError } from '../../../errors.js'

export function invalidTokenError(): RelayError {
  return new RelayError(
    'invalid_token',
    'The token is unknown, expired or revoked; get a new one with GET /oauth.',
  )
}

export function invalidClientError(): RelayError {
  return new RelayError(
    'invalid_client',
    'The credentials are wrong; send <SECRET_KEY>:<API_KEY>, <SECRET_KEY>:<APP_KEY> or ' +
      '<EMAIL>:<PASSWORD> as Basic authorization.',
  )
}

/** Somebody with a second factor sent only the password. */
export function missingCodeError(): RelayError {
  return new RelayError('invalid_client', 'This sign-in needs a code besides the password.', {
    hint:
      'Send the code of the authenticator app, or a recovery code, in the header field ' +
      'X-Sign-In-Code. Programs sign in with keys, which need no code.',
  })
}
