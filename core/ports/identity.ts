// Somebody else's word on who a person is.

/** What an identity provider vouches for. */
export interface Identity {
  /** As the provider spells it, and verified by it. */
  email: string;
  name: string | null;
  /** `https:` address of a picture, or null. */
  avatarUrl: string | null;
}

export interface IdentityProvider {
  /**
   * The identity that an ID token (OpenID Connect Core 1.0) proves at `now` to who asked for it with `nonce`.
   * Throws UNAUTHORIZED for a wrong signature, audience, issuer, time or nonce (null: there is none), or an
   * unverified address; SERVICE_UNAVAILABLE without the provider's keys.
   */
  verify(idToken: string, nonce: string | null, now: number): Promise<Identity>;
}
