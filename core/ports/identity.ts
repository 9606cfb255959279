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
   * The identity that an ID token (OpenID Connect Core 1.0) proves at `now`. Throws UNAUTHORIZED when it
   * proves none: wrong signature, audience, issuer, time, or an address that is not verified;
   * SERVICE_UNAVAILABLE when the provider's keys cannot be had.
   */
  verify(idToken: string, now: number): Promise<Identity>;
}
