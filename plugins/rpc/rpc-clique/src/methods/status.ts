import { type Codec, DecodeError, method, type SealedHeader, t } from "@plinth/core";
import type { CliqueCall } from "../clique-call.js";

const BLOCKS = 64n;

const percent: Codec<number> = {
  decode(json, path = "") {
    if (typeof json === "number" && json >= 0 && json <= 100) return json;
    throw new DecodeError(path, "a number from 0 to 100");
  },
  encode: (value) => value,
  schema: { type: "number", minimum: 0, maximum: 100 },
};

/** `clique_status`: how many recent blocks were signed in turn. */
export const status = method({
  summary:
    "Returns how many of the last 64 blocks were signed in turn, and how many by each signer.",
  result: t.object({
    inturnPercent: percent,
    sealerActivity: t.record(t.integer({ min: 0 })),
    numBlocks: t.integer({ min: 0 }),
  }),
  example: {
    params: [],
    result: {
      inturnPercent: 100,
      sealerActivity: { [`0x${"ab".repeat(20)}`]: 64 },
      numBlocks: 64,
    },
  },
  handle(_, { clique, chain: { blocks } }: CliqueCall) {
    const head = blocks.head();
    const headers = lastHeaders(head, (number) => blocks.findHeader(number));
    const activity = new Map(clique.after(head).members.map((member) => [member, 0]));
    for (const header of headers) {
      const signer = clique.signerOf(header);
      activity.set(signer, (activity.get(signer) ?? 0) + 1);
    }
    const inTurn = headers.filter(
      (header) => clique.inTurnSignerOf(header) === clique.signerOf(header),
    );
    return {
      inturnPercent: headers.length === 0 ? 0 : (100 * inTurn.length) / headers.length,
      sealerActivity: Object.fromEntries(activity),
      numBlocks: headers.length,
    };
  },
});

/** Block 0 has no signer. */
function lastHeaders(
  { number: last }: SealedHeader,
  find: (number: bigint) => SealedHeader | undefined,
): readonly SealedHeader[] {
  const headers: SealedHeader[] = [];
  for (let number = last; number > 0n && number > last - BLOCKS; number--) {
    const header = find(number);
    if (header !== undefined) headers.push(header);
  }
  return headers;
}
