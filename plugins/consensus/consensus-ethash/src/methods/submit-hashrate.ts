import { type Codec, DecodeError, method, t } from "@plinth/core";
import type { RemoteSealer } from "../remote-sealer.js";

const MAX_ID_LENGTH = 256;

/** Miners choose their ids freely, mostly 32 bytes of hex. */
const id: Codec<string> = {
  ...t.text,
  decode(json, path = "") {
    const text = t.text.decode(json, path);
    if (text.length <= MAX_ID_LENGTH) return text;
    throw new DecodeError(path, `at most ${MAX_ID_LENGTH} characters`);
  },
};

/** `eth_submitHashrate`: reports the hash rate of an external miner. */
export const submitHashrate = (sealer: RemoteSealer) =>
  method({
    summary: "Records the hash rate of a miner for a minute.",
    params: {
      // Miners send 32 bytes, with leading zeros.
      rate: t.withText(t.wei, "Invalid hash rate params"),
      id: t.withText(id, "Invalid sealer ID params"),
    },
    result: t.boolean,
    example: { params: ["0x500000", `0x${"ab".repeat(32)}`], result: true },
    handle({ rate, id }) {
      if (!sealer.isOpen || rate === 0n) return false;
      sealer.submitRate(id, rate);
      return true;
    },
  });
