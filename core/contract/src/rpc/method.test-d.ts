// Compiled, never run: how the codecs of a method type its handler.
import { t } from "../codec/ethereum.js";
import { method, raw, stream } from "./method.js";

// Parameters have the types of their codecs; a default removes `undefined`.
method({
  summary: "Takes parameters.",
  params: {
    amount: t.quantity,
    address: t.address,
    input: t.data,
    block: t.optional(t.text, "latest"),
    limit: t.optional(t.integer()),
    call: t.object({ to: t.address, values: t.array(t.quantity) }),
  },
  result: t.boolean,
  handle({ amount, address, input, block, limit, call }) {
    holds<Same<typeof amount, bigint>>();
    holds<Same<typeof address, `0x${string}`>>();
    holds<Same<typeof input, Uint8Array>>();
    holds<Same<typeof block, string>>();
    holds<Same<typeof limit, number | undefined>>();
    holds<Same<typeof call, { readonly to: `0x${string}`; readonly values: readonly bigint[] }>>();
    return true;
  },
});

// @ts-expect-error a parameter that is not declared is not there
method({ summary: "Sums.", params: { a: t.quantity }, result: t.quantity, handle: ({ b }) => b });

// A handler returns the domain type of its result, or a promise of it.
method({ summary: "Counts.", result: t.quantity, handle: () => 5n });
method({ summary: "Counts.", result: t.quantity, handle: async () => 5n });
// @ts-expect-error not JSON
method({ summary: "Counts.", result: t.quantity, handle: () => "0x5" });
// @ts-expect-error not JSON later, either
method({ summary: "Counts.", result: t.quantity, handle: async () => "0x5" });
const sum = t.object({ a: t.quantity, b: t.text });
// @ts-expect-error not a part of what is promised
method({ summary: "Sums.", result: sum, handle: () => ({ a: 5n }) });

// Or JSON that is already encoded.
method({ summary: "Counts.", result: t.quantity, handle: () => raw(Uint8Array.of(0x35)) });
method({
  summary: "Counts.",
  result: t.quantity,
  handle: () =>
    stream(
      (async function* () {
        yield "5";
      })(),
    ),
});

// What the handler requires besides its parameters becomes part of the method's type.
const greeting = method({
  summary: "Says hello.",
  result: t.text,
  handle: (_, { word }: { word: string }) => word,
});
holds<Same<Parameters<typeof greeting.handle>[1], { word: string }>>();

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function holds<T extends true>(): T | undefined {
  return undefined;
}
