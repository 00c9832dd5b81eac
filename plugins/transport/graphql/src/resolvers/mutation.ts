import { decodeRlp, type Hash, type Hex, hexToBytes, RlpError } from "@plinth/core";
import { rejectionOf } from "@plinth/kit-rpc";
import type { RequestContext } from "./context.js";

/** First bytes of RLP that is neither a list nor a single byte. */
const [FIRST_TEXT, FIRST_LIST] = [0x80, 0xc0];

/** The mutations. */
export const Mutation = {
  async sendRawTransaction(
    _: unknown,
    { data }: { data: Hex },
    { reader }: RequestContext,
  ): Promise<Hash> {
    const { pool, compatibility } = reader.context;
    try {
      return (await pool.submit(unwrap(hexToBytes(data)))).hash;
    } catch (error) {
      throw rejectionOf(error, compatibility);
    }
  },
};

/**
 * A typed transaction may be wrapped in an RLP string, as in blocks: Besu accepts no other form.
 */
function unwrap(bytes: Uint8Array): Uint8Array {
  const [first = 0] = bytes;
  if (first < FIRST_TEXT || first >= FIRST_LIST) return bytes;
  const item = decodeRlp(bytes);
  if (item instanceof Uint8Array) return item;
  throw new RlpError("transaction: expected bytes");
}
