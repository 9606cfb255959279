// Why a request to an address that a user named failed: in words for that user, with the code to search for.

const IN_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens at this address and port',
  ECONNRESET: 'The connection was cut before an answer came',
  EPIPE: 'The connection was cut before an answer came',
  ETIMEDOUT: 'The address does not answer',
  EHOSTUNREACH: 'The address cannot be reached',
  ENETUNREACH: 'The address cannot be reached',
  ENOTFOUND: 'There is no host of this name',
  EAI_AGAIN: 'The name of the host cannot be looked up just now',
  EPROTO: 'It does not speak TLS at this port, or a version that is too old',
  CERT_HAS_EXPIRED: 'Its certificate has expired',
  CERT_NOT_YET_VALID: 'Its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is signed by itself, not by an authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its certificate is from an authority that is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'Its certificate is from an authority that is not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'Its server does not send the certificates between its own and the authority',
};
/** Of Node's HTTP parser. */
const HTTP_PARSER = 'HPE_';

/** `error` is one of Node's. */
export function failureText(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error.message;
  const words = IN_WORDS[code] ?? (code.startsWith(HTTP_PARSER) ? 'What it answers is not HTTP' : null);
  return words === null ? code : `${words} (${code}).`;
}
