import { type Call, type Codec, DecodeError, method, parseHex, t, toHex } from "@plinth/core";
import type { RemoteSealer } from "../remote-sealer.js";
import { findWork } from "./find-work.js";

const NONCE_BYTES = 8;

const nonce: Codec<Uint8Array> = {
  decode(json, path = "") {
    const bytes = typeof json === "string" ? parseHex(json) : undefined;
    if (bytes?.length === NONCE_BYTES) return bytes;
    throw new DecodeError(path, "8 bytes of hex", "Invalid nonce params");
  },
  encode: toHex,
  schema: { type: "string", pattern: "^0x[0-9a-f]{16}$" },
};

/** `eth_submitWork`: submits a seal; true if it is valid for the current work. */
export const submitWork = (sealer: RemoteSealer) =>
  method({
    summary: "Submits a seal for the current work; true if it is valid.",
    params: {
      nonce,
      powHash: t.withText(t.hash, "Invalid pow hash params"),
      mixHash: t.withText(t.hash, "Invalid mix hash params"),
    },
    result: t.boolean,
    example: {
      params: ["0x0000000000000001", `0x${"ab".repeat(32)}`, `0x${"cd".repeat(32)}`],
      result: false,
    },
    handle(solution, call: Call) {
      findWork(sealer, call);
      return sealer.submit(solution);
    },
  });
