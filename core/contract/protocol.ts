// Constants of the HTTP and WebSocket protocol, without imports, so that the web app can use the values too.

/** The path that every call of the API begins with. */
export const API_BASE = '/api/v1';

/** The WebSocket subprotocol that the server speaks; a browser offers it beside `ticket.<ticket>`. */
export const LIVE_PROTOCOL = 'qinbox.v1';

/** Why the server closed a socket. 1012 and 1013 are RFC 6455's registered codes; 4401 is ours. */
export const LIVE_CLOSE = {
  /** The session was signed out, or the key revoked or expired: sign in again. */
  signedOut: 4401,
  /** The server restarts: connect again. */
  restarting: 1012,
  /** The client did not read fast enough: connect again and fetch the list. */
  tooSlow: 1013,
} as const;
