// How access tokens are written and read, so that the core knows what they say and not what they look like.

/** What an access token says. Times in milliseconds, to the second. */
export interface AccessClaims {
  userId: string;
  sessionId: string;
  issuedAt: number;
  expiresAt: number;
}

export interface AccessTokens {
  sign(claims: AccessClaims): Promise<string>;
  /** Throws UNAUTHORIZED for anything that is not one of ours, TOKEN_EXPIRED for one that was, at `now`. */
  verify(token: string, now: number): Promise<AccessClaims>;
}
