// What may come from a client of a WebSocket that only listens: pongs, and messages that nobody reads.

/**
 * Options of `ws`. A message that is sent in fragments is kept until its last one, and of what the system
 * gives in one piece each fragment keeps all: one byte of 64 KiB. So it has one frame, in few pieces.
 */
export const LISTENER_LIMITS = {
  maxPayload: 64 * 1024,
  maxFragments: 1,
  maxBufferedChunks: 1024,
  perMessageDeflate: false,
} as const;
