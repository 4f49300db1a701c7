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
