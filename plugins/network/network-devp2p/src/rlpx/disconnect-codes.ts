import type { DisconnectReason } from "@plinth/core/network";

/** Wire codes of disconnect reasons. */
const CODES: Readonly<Partial<Record<DisconnectReason, number>>> = {
  requested: 0x00,
  "tcp-error": 0x01,
  "breach-of-protocol": 0x02,
  "useless-peer": 0x03,
  "too-many-peers": 0x04,
  "already-connected": 0x05,
  "incompatible-version": 0x06,
  "null-identity": 0x07,
  "client-quitting": 0x08,
  "unexpected-identity": 0x09,
  "same-identity": 0x0a,
  timeout: 0x0b,
  "subprotocol-error": 0x10,
};

const REASONS = new Map(
  Object.entries(CODES).map(([reason, code]) => [code, reason as DisconnectReason]),
);

/** The code of a reason; `undefined` for `unspecified`. */
export function codeOfReason(reason: DisconnectReason): number | undefined {
  return CODES[reason];
}

/** The reason of a code; `unspecified` if it is unknown. */
export function reasonOfCode(code: number | undefined): DisconnectReason {
  return (code === undefined ? undefined : REASONS.get(code)) ?? "unspecified";
}
